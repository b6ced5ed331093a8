import { createClient } from '#api-client/call.ts';
import { type Endpoint, pathParts } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { type CookieJar, fetchThrough, type TestServer } from '#tests/support/server.ts';
import { keepDatabase } from '#tests/support/whole-database.ts';
import type { AskedCall, Asking } from './calls.ts';
import { type Home, isGranted, isInSight, lines, type PersonName, personNames, wasInSight } from './people.ts';
import type { AuthorizationWorld, Target } from './world.ts';

/** What came of one call. */
interface Outcome {
  /** The word of the table. */
  word: string;
  /** Everything the answer said, refusals included, but for the ids of rows that are gone. */
  said: string;
  gone?: string;
}

/** One block of the table: what came of a call for everybody, line by line. */
export interface Block {
  title: string;
  words: Map<string, string[]>;
}

const refusals: Readonly<Record<number, string>> = { 401: 'signed out', 403: 'denied', 404: 'not found', 409: 'conflict', 422: 'invalid' };
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const wordOf = (status: number): string => refusals[status] ?? `refused with ${status}`;

/** Opens what is answered as a stream, such as one that does not end by itself, and leaves it. */
async function follow({ app }: TestServer, endpoint: Endpoint, input: Readonly<Record<string, unknown>>, jar: CookieJar): Promise<Outcome> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const path = pathParts(endpoint.path).reduce((text, part) => text.replace(`:${part}`, String(input[part])), endpoint.path);
  const answer = await app.inject({ url: `/api${path}`, headers: { cookie }, payloadAsStream: true });
  answer.stream().destroy();
  return { word: answer.statusCode === 200 ? 'ok' : wordOf(answer.statusCode), said: '' };
}

async function ask(server: TestServer, endpoint: Endpoint, asking: Asking, target: Target, jar: CookieJar): Promise<Outcome> {
  if (endpoint.answerAs) return follow(server, endpoint, asking.input(target) as Record<string, unknown>, jar);
  const call = createClient({ baseUrl: 'http://localhost/api', fetch: fetchThrough(server.app, jar) });
  try {
    const answer = await call(endpoint, asking.input(target), asking.file ? { file: asking.file } : {});
    const { gone, shown } = asking.apart?.(answer) ?? { gone: [], shown: answer };
    return { word: asking.holds?.(answer, target) === false ? 'empty' : 'ok', said: JSON.stringify(shown), gone: gone.join() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { word: wordOf(error.status), said: JSON.stringify([error.detail, error.beside]) };
  }
}

/** Where rows lie whose ids are in a text. */
function homesIn(text: string, { homes }: AuthorizationWorld): Home[] {
  return [...new Set(text.match(uuids))].flatMap((id) => homes.get(id) ?? []);
}

/** Where rows lie that an answer tells a person of and that they may not see; what they asked with may be said back. */
function hiddenIn({ said, gone = '' }: Outcome, asked: string, person: PersonName, world: AuthorizationWorld): Set<Home> {
  const shown = said.replace(uuids, (id) => (asked.includes(id) ? '' : id));
  return new Set([
    ...homesIn(shown, world).filter((home) => !isInSight(person, home)),
    // that a row is gone is told to those who could see it
    ...homesIn(gone, world).filter((home) => !wasInSight(person, home)),
  ]);
}

/** Whether an ok can be right at all: the key is held where the target lies, and the target is in sight. */
function mayBeOk({ permission }: Endpoint, { remembers }: Asking, person: PersonName, home: Home): boolean {
  const isSeen = remembers ? wasInSight : isInSight;
  return permission === 'anyone' || (isGranted(person, permission, home) && isSeen(person, home));
}

/** The table, and what nobody may meet whatever the table says. */
export interface Matrix {
  blocks: readonly Block[];
  faults: readonly string[];
}

/** Makes every call as everybody about everything, each on the database as it was at the start. */
export async function askEverybody(server: TestServer, world: AuthorizationWorld, calls: readonly AskedCall[]): Promise<Matrix> {
  const kept = await keepDatabase(server.database.db);
  const blocks: Block[] = [];
  const faults: string[] = [];

  /** What a change came to in the database, which is then put back. */
  const afterChange = async (word: string, person: PersonName, fault: (what: string) => void): Promise<string> => {
    const { before, now } = await kept.changes();
    if (before.size > 0 && word !== 'ok') fault(`${word}, and yet it changed ${[...before.keys()].join(', ')}`);
    for (const [table, rows] of before) {
      const left = new Set(now.get(table));
      const touched = rows.filter((row) => !left.has(row)).join();
      for (const home of new Set(homesIn(touched, world))) if (!isInSight(person, home)) fault(`changed rows of ${table} at ${home}`);
    }
    await kept.putBack(before.keys());
    return word === 'ok' && before.size === 0 ? 'no effect' : word;
  };

  for (const { endpoint, askings } of calls) {
    const isChange = endpoint.method !== 'GET' && !endpoint.asksOnly;
    for (const asking of askings) {
      const title = `${endpoint.name}${asking.as === undefined ? '' : `, ${asking.as}`}: ${endpoint.method} ${endpoint.path} (${endpoint.permission})`;
      const words = new Map<string, string[]>();
      for (const [line, home] of Object.entries(lines[asking.about])) {
        const row: string[] = [];
        for (const person of personNames) {
          const fault = (what: string) => faults.push(`${title}: ${person}, ${line}: ${what}`);
          const target = world.targetOf(person, home);
          const outcome = await ask(server, endpoint, asking, target, world.browserOf(person));
          for (const hidden of hiddenIn(outcome, JSON.stringify(asking.input(target)), person, world))
            fault(`the answer shows what lies at ${hidden}`);
          const word = isChange ? await afterChange(outcome.word, person, fault) : outcome.word;
          if (word === 'ok' && !mayBeOk(endpoint, asking, person, home)) fault('ok without a right to it');
          row.push(word);
        }
        words.set(line, row);
      }
      blocks.push({ title, words });
    }
    // questions leave no trace either
    const { before } = await kept.changes();
    if (before.size > 0) faults.push(`${endpoint.name} changed ${[...before.keys()].join(', ')}`);
    await kept.putBack(before.keys());
  }
  return { blocks, faults };
}
