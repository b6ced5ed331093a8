import type { MutationName } from '#contract/mutations.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';

/** A row as far as it is compared; null is none. */
export type Row = (Readonly<Record<string, unknown>> & { id: string; version: number }) | null;

/** One change of a row at the server. */
export interface RowChange {
  id: string;
  before: Row;
  after: Row;
  generation: string;
  /** Whose hand it was: a device, or somebody else. */
  by: string;
  /** UTC milliseconds. */
  at: number;
  /** A field that it decides, be it that the row said so before: whoever wrote that is overruled by who was told of it. */
  decides?: string;
}

/** Whose hand wrote something, and when, UTC milliseconds. */
type Writer = Pick<RowChange, 'by' | 'at'>;

/** A row as it was seen, but for some fields; undefined where nobody knows how it was. */
type SeenRows = { row: Fields | null | undefined; hidden: readonly string[] }[];

/** What is known of the edit behind a change. */
export interface GuardedEdit {
  name: MutationName;
  /** The row as the person had it before them: when they made it, earlier ones of its lane, or decided. */
  on: readonly SeenVersion[];
  /** The same with their own edits laid over it, as the screen showed it. */
  shown: readonly Fields[];
  /** The same before they were told of what came after: a backup brings that back, which they knew. */
  former: Pick<GuardedEdit, 'on' | 'shown'> | null;
  /** What somebody else changed before that it had to notice, UTC milliseconds. */
  until: number;
  /** The person was told of a change of theirs when they decided, or tried it again. */
  isTold: boolean;
}

/** A version of a row, 0 for none, and the database it is of. */
export interface SeenVersion {
  generation: string;
  version: number;
  /** Fields of it that edits of their own hid from whoever had it before them. */
  hidden?: readonly string[];
}

/** The fields of a row that edits laid over it hide; all of them where these took it out of sight. */
export function hiddenIn(held: object, shown: Fields | null): string[] {
  return Object.entries(held).flatMap(([name, value]) => (shown && isSameValue(shown[name], value) ? [] : [name]));
}

/** The hand that wrote what a backup brings back. */
const backup = 'a backup';

const view = ['name', 'list', 'search'];
const entity = [
  'entity_name',
  'entity_type_id',
  'portfolio_id',
  'fund_id',
  'state',
  'city',
  'zip_code',
  'country',
  'accounting_system_id',
  'allocation_method_id',
  'active',
];

/** What must hold, said here anew: fields that merge, and those that nobody may change unseen by who decides about the row. */
const rules: Record<MutationName, { merges: readonly string[]; asks: readonly string[] }> = {
  saveView: { merges: view, asks: [] },
  deleteView: { merges: [], asks: view },
  // who decided the same as they did is not overruled, and where nobody compares versions not even told from an attempt of ours
  markTransfer: { merges: ['match_state'], asks: ['quantity', 'security_id', 'trx_type_id', 'trx_date'] },
  createOrganization: { merges: ['name'], asks: [] },
  updateOrganization: { merges: ['name'], asks: [] },
  deleteOrganization: { merges: [], asks: ['name'] },
  createClient: { merges: ['client_name'], asks: [] },
  updateClient: { merges: ['client_name'], asks: [] },
  createEntity: { merges: entity, asks: [] },
  updateEntity: { merges: entity, asks: [] },
  deleteEntity: { merges: [], asks: entity },
  updateUser: { merges: ['name', 'is_enabled'], asks: [] },
  // who takes a person out of an organization takes all that is assigned to them there, whatever that is by then
  setUserRole: { merges: ['memberships'], asks: [] },
  assignUser: { merges: ['client_ids', 'entity_ids'], asks: [] },
  archiveAsset: { merges: ['is_spam'], asks: [] },
  unarchiveAsset: { merges: [], asks: ['is_spam'] },
  // they are about no row
  submitTicket: { merges: [], asks: [] },
  attachToTicket: { merges: [], asks: [] },
};

/** Whether an edit of a name may change a field of its row. */
export const mayChange = (name: MutationName, field: string): boolean => rules[name].merges.includes(field);

/** Every change of a row at the server, and whether one wrote over what nobody who made it had seen. */
export class Overwrites {
  readonly #versions = new Map<string, Row>();
  /** Who wrote a field of a row last, or took the row away. */
  readonly #writers = new Map<string, Writer>();
  /** Whose all else is. */
  #others: Writer | null = null;
  /** Who changed a row last, and its version by that. */
  readonly #latest = new Map<string, Writer & SeenVersion>();

  /** The rows of a database, as they may be seen. */
  keep(generation: string, rows: Iterable<NonNullable<Row>>): void {
    for (const row of rows) this.#versions.set(`${row.id} ${generation} ${row.version}`, row);
  }

  /** Everything is as a backup had it, which nobody here wrote. */
  restore(at: number): void {
    this.#writers.clear();
    this.#latest.clear();
    this.#others = { by: backup, at };
  }

  /** @returns what was written over unseen, in words; null where nothing was. */
  note(change: RowChange, edit: GuardedEdit | null): string | null {
    const { id, before, after, generation, by, at, decides } = change;
    const found = edit && (this.unseen(change, edit) ?? this.#pairedAnew(change, edit));
    if (after) this.#latest.set(id, { by, at, generation, version: after.version });
    if (before) this.#versions.set(`${id} ${generation} ${before.version}`, before);
    if (after) this.#versions.set(`${id} ${generation} ${after.version}`, after);
    const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    for (const name of names)
      if (name === decides || !isSameValue(before?.[name], after?.[name])) this.#writers.set(`${id} ${name}`, { by, at });
    if (!after) this.#writers.set(`${id} gone`, { by, at });
    return found;
  }

  /**
   * A row that is paired may be with another one by now, though none of its fields says so: who decides about it has seen it in that version.
   * @returns the same in words; null where it was seen.
   */
  #pairedAnew({ id, before, by, generation }: RowChange, { name, on, until, isTold }: GuardedEdit): string | null {
    const latest = this.#latest.get(id);
    // a server that compares no versions says none to look for
    if (name !== 'markTransfer' || isTold || until !== Infinity) return null;
    if (before?.['match_state'] !== 'APPROVED' || !latest || latest.by === by) return null;
    const known = on.filter((version) => version.generation === generation);
    const isSeen = known.length === 0 || latest.generation !== generation || known.some(({ version }) => version >= latest.version);
    return isSeen ? null : `row ${id} was paired anew by then`;
  }

  /** @returns what an edit passes over that whoever made it had not seen, in words; null where it does not. */
  unseen({ id, before, after, by }: RowChange, { name, on, shown, former, until }: GuardedEdit): string | null {
    const writerOf = (what: string): Writer | null => this.#writers.get(`${id} ${what}`) ?? this.#others;
    const isOthers = (what: string): boolean => {
      const writer = writerOf(what);
      return writer !== null && writer.by !== by && writer.at < until;
    };
    if (!before) {
      const isNew = on.some(({ version }) => version === 0) || !after;
      return isNew || !isOthers('gone') ? null : `the row ${id} was deleted, and is made again`;
    }
    const rowsOf = (known: Pick<GuardedEdit, 'on' | 'shown'>): SeenRows => {
      const held = known.on.map(({ generation, version, hidden = [] }) => {
        return { row: version === 0 ? null : this.#versions.get(`${id} ${generation} ${version}`), hidden };
      });
      return [...held, ...known.shown.map((row) => ({ row, hidden: [] }))];
    };
    const [latest, earlier] = [rowsOf({ on, shown }), former ? rowsOf(former) : []];
    const { merges, asks } = rules[name];
    for (const field of [...merges, ...asks]) {
      const seen = writerOf(field)?.by === backup ? [...latest, ...earlier] : latest;
      const isNews = seen.every(
        ({ row, hidden }) => row === undefined || hidden.includes(field) || !isSameValue(row?.[field], before[field]),
      );
      const isTouched = asks.includes(field) || !isSameValue(after?.[field], before[field]);
      if (isNews && isTouched && isOthers(field)) return `${field} of row ${id} was ${JSON.stringify(before[field])} by then`;
    }
    return null;
  }
}
