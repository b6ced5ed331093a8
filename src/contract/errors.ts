import { z } from 'zod';

/** One failed check of a request, in the shape validation answers carry. */
export const validationIssueSchema = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() });
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

/** Body of every refused request. */
export const errorBodySchema = z.object({ detail: z.union([z.string(), z.array(validationIssueSchema)]) });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** A row as it is now; null where there is none. */
const currentRowSchema = z.looseObject({ id: z.string(), version: z.number().int() }).nullable();

/** Body of a change refused because its row is in another version: beside the text the row as it is now, null where there is none. */
export const staleBodySchema = z.object({ detail: z.string(), current: currentRowSchema });

/** Body of a change refused because another row it rests on is in another version. */
export const movedBodySchema = z.object({ detail: z.string(), rests_on: currentRowSchema });

/** The closed list of error codes: HTTP status (0: no answer came), and whether the same request may succeed later. */
export const errorCodes = {
  not_authenticated: { status: 401, retriable: false },
  other_user: { status: 401, retriable: true },
  permission_denied: { status: 403, retriable: false },
  not_found: { status: 404, retriable: false },
  timeout: { status: 408, retriable: true },
  conflict: { status: 409, retriable: false },
  generation_changed: { status: 409, retriable: false },
  cursor_too_old: { status: 410, retriable: false },
  stale_version: { status: 412, retriable: false },
  too_large: { status: 413, retriable: false },
  unsupported: { status: 415, retriable: false },
  invalid: { status: 422, retriable: false },
  too_early: { status: 425, retriable: true },
  client_too_old: { status: 426, retriable: false },
  throttled: { status: 429, retriable: true },
  blocked: { status: 429, retriable: true },
  internal: { status: 500, retriable: true },
  unavailable: { status: 503, retriable: true },
  provider_unavailable: { status: 503, retriable: true },
  network: { status: 0, retriable: true },
  bad_answer: { status: 0, retriable: true },
} as const satisfies Record<string, { status: number; retriable: boolean }>;

export type ErrorCode = keyof typeof errorCodes;

/** After these no answer came at all. */
export const unansweredCodes: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'bad_answer']);

/** Said to who works for one person, and comes with the session of another. */
export const otherUserText = 'Somebody else is signed in';

/** Said where another row that a change rests on is not as the person saw it. */
export const movedText = 'The other row was changed since: look at both, and decide again';

/** Said where the OpenID provider does not answer, or not as it should. */
export const providerUnavailableText = 'The sign-in provider cannot be used at the moment';

/** What the feed's refusals say, as the sync design names them (3.4). */
export const feedRefusals = {
  generationChanged: 'GENERATION_CHANGED',
  cursorTooOld: 'CURSOR_TOO_OLD',
  clientTooOld: 'CLIENT_TOO_OLD',
} as const;

/** The `detail` texts of the specification (section 8) and of the sync design that decide something, each with its code. */
export const detailCodes: ReadonlyMap<string, ErrorCode> = new Map([
  ['Not authenticated', 'not_authenticated'],
  ['Invalid token', 'not_authenticated'],
  ['No access token', 'not_authenticated'],
  ['Invalid credentials', 'not_authenticated'],
  [feedRefusals.generationChanged, 'generation_changed'],
  [otherUserText, 'other_user'],
  [providerUnavailableText, 'provider_unavailable'],
]);

/** The one error that crosses the wire. `detail` is what the server said, or what the client found. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | ValidationIssue[];
  readonly retryAfterMs: number | undefined;
  /** The API itself said so, in the shape its refusals or its answers have: another page of that status may be anybody's on the way there. */
  readonly isSaid: boolean;
  /** What was asked for was not done, and will not be by this. */
  readonly isUntried: boolean;
  /** Fields the body of the answer has beside `detail`. */
  readonly beside: Readonly<Record<string, unknown>>;

  constructor(options: {
    code: ErrorCode;
    detail: string | ValidationIssue[];
    status?: number | undefined;
    retryAfterMs?: number | undefined;
    isSaid?: boolean;
    isUntried?: boolean;
    beside?: Readonly<Record<string, unknown>> | undefined;
  }) {
    super(detailText(options.detail));
    this.name = 'ApiError';
    this.code = options.code;
    this.status = options.status ?? errorCodes[options.code].status;
    this.detail = options.detail;
    this.retryAfterMs = options.retryAfterMs;
    this.isSaid = options.isSaid ?? false;
    this.isUntried = options.isUntried ?? false;
    this.beside = options.beside ?? {};
  }

  get retriable(): boolean {
    return errorCodes[this.code].retriable;
  }
}

/**
 * One line for a refused request: the text itself, or the first message with its place, `Field required (body.name)`.
 * @source specification section 8
 */
export function detailText(detail: string | readonly ValidationIssue[]): string {
  if (typeof detail === 'string') return detail;
  const first = detail[0];
  return first ? `${first.msg} (${first.loc.join('.')})` : 'The request was refused';
}

/** What is wrong with the fields of a refused request, by name, the first thing of each. */
export function fieldTexts(detail: string | readonly ValidationIssue[]): Record<string, string> {
  if (typeof detail === 'string') return {};
  return Object.fromEntries([...detail].reverse().map(({ loc, msg }) => [String(loc.at(-1)), msg]));
}

/**
 * The code for an answer's status and text. Nothing but this table decides by message text.
 * @returns `undefined` for a status below 400.
 */
export function codeOfAnswer(status: number, detail: string | readonly ValidationIssue[]): ErrorCode | undefined {
  if (status < 400) return undefined;
  const text = typeof detail === 'string' ? detail : '';
  if (status === 429) return text.toLowerCase().includes('blocked') ? 'blocked' : 'throttled';
  const known = detailCodes.get(text);
  if (known) return known;
  if (status === 502 || status === 504) return 'unavailable';
  const byStatus = Object.entries(errorCodes).find(([, value]) => value.status === status);
  if (byStatus) return byStatus[0] as ErrorCode;
  return status >= 500 ? 'internal' : 'invalid';
}
