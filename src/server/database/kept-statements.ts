import { type PGlite, parse, protocol } from '@electric-sql/pglite';

type QueryOptions = NonNullable<Parameters<PGlite['query']>[2]>;
type QueryResult = ReturnType<typeof parse.parseResults>[number];

/** Statements kept; each takes some tens of kilobytes of the database's memory, which only grows. */
const mostKept = 200;
/** Longest statement that is kept: what is longer writes or asks for hundreds of rows, and hardly comes again to the letter. */
const longestKept = 20_000;
/** What may change what the kept ones give, which the database would then refuse to run. */
const changesTables = /^\s*(?:alter|create|do|drop)\b/i;
const isKeepable = (text: string): boolean => text.length <= longestKept && /^\s*(?:select|with|insert|update|delete)\b/i.test(text);

const { serialize } = protocol;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Statements that the embedded database has read and planned already.
 * PGlite's own `query` has each one read and planned anew, which takes several times as long as to answer most of ours.
 * Calls must come one after another.
 */
export class KeptStatements {
  readonly #database: PGlite;
  /** By text, the one used last at the end: its name, and of which types its parameters are. */
  readonly #kept = new Map<string, { name: string; types: number[] }>();
  #made = 0;

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** Runs one statement as PGlite's `query` does. @throws what the database refuses. */
  async query(text: string, params: readonly unknown[], options: QueryOptions): Promise<QueryResult> {
    if (!isKeepable(text)) {
      if (changesTables.test(text)) await this.#forgetAll();
      return this.#database.query(text, [...params], options);
    }
    const { name, types } = await this.#statementOf(text);
    const values = params.map((param, index) => this.#serialized(param, types[index] ?? 0));
    const messages = await this.#send(
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      serialize.sync(),
    );
    const [result] = parse.parseResults(messages, this.#database.parsers, options);
    if (!result) throw new Error('The embedded database gave no answer');
    return result;
  }

  async #statementOf(text: string): Promise<{ name: string; types: number[] }> {
    const known = this.#kept.get(text);
    if (known) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    this.#made += 1;
    const name = `kept_${this.#made}`;
    const described = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync());
    const statement = { name, types: parse.parseDescribeStatementResults(described) };
    this.#kept.set(text, statement);
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size > mostKept) {
      this.#kept.delete(oldest[0]);
      await this.#send(serialize.close({ type: 'S', name: oldest[1].name }), serialize.sync());
    }
    return statement;
  }

  #serialized(param: unknown, type: number): string | null {
    if (param === null || param === undefined) return null;
    const serializer = this.#database.serializers[type];
    return serializer ? serializer(param) : (param as { toString(): string }).toString();
  }

  async #forgetAll(): Promise<void> {
    const names = [...this.#kept.values()].map(({ name }) => name);
    this.#kept.clear();
    if (names.length > 0) await this.#send(...names.map((name) => serialize.close({ type: 'S', name })), serialize.sync());
  }

  #send(...parts: Uint8Array[]) {
    return this.#database.execProtocolStream(joined(parts));
  }
}
