import type { ApiCall } from '#api-client/call.ts';
import type { Permission } from '#contract/endpoint.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { getMe, type Me } from '#contract/session.ts';

/** For how long a right that the server said is gone is gone without its being asked again, in milliseconds: many lists are refused at once. */
const holdsMs = 5_000;

/** Failures that concern the session, or all requests alike. */
const isOfAll: ReadonlySet<ErrorCode> = new Set(['network', 'not_authenticated', 'other_user']);

interface RightsPorts {
  call: ApiCall;
  now: () => number;
  /** Whose session it is. */
  userId: string;
}

/** What the person may not do, as the server says, and whether it takes them for who they are. */
export class OwnRights {
  readonly #ports: RightsPorts;
  #told: { me: Me; at: number } | null = null;
  #isTheirs = false;

  constructor(ports: RightsPorts) {
    this.#ports = ports;
  }

  /** Whether the server says that a right is gone. Where it says nothing of it, or cannot be asked, it is not. */
  async lacks(right: Permission): Promise<boolean> {
    const { now } = this.#ports;
    const told = this.#told;
    if (told && Math.abs(now() - told.at) < holdsMs && this.#isGone(told.me, right)) return true;
    const at = now();
    const me = await this.#ask();
    if (!me) return false;
    this.#told = { me, at };
    return this.#isGone(me, right);
  }

  /** The session may be another one. */
  forget(): void {
    this.#isTheirs = false;
  }

  /**
   * Makes sure, once, that the session is the person's: a server that is not told with each request whose it is to be would take their edits
   * for those of whoever signed in here before and could not sign out. Where it cannot say, it is for now.
   * @throws ApiError where it is somebody else's.
   */
  async beTheirs(): Promise<void> {
    if (this.#isTheirs) return;
    const me = await this.#ask();
    if (me && me.id !== this.#ports.userId) throw new ApiError({ code: 'other_user', detail: 'Somebody else is signed in' });
    // one that cannot say it now may say it later
    this.#isTheirs = me !== null;
  }

  /** Whom the server takes the session for; null where it cannot say. */
  #ask(): Promise<Me | null> {
    return this.#ports.call(getMe, {}).catch((cause: unknown) => {
      if (!(cause instanceof ApiError) || isOfAll.has(cause.code)) throw cause;
      return null;
    });
  }

  #isGone({ id, is_superuser: isSuperuser, permissions }: Me, right: Permission): boolean {
    // a right it says nothing of may be one it has another name for; and somebody else may have signed in meanwhile
    return id === this.#ports.userId && !isSuperuser && permissions[right] === false;
  }
}
