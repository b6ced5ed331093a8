import type { MutationName } from '#contract/mutations.ts';
import { isSameValue } from '#replica/merge.ts';

/** A row as far as it is compared; null is none. */
export type Row = (Readonly<Record<string, unknown>> & { id: string; version: number }) | null;

/** One change of a row at the server. */
export interface RowChange {
  id: string;
  before: Row;
  after: Row;
  /** Whose hand it was: a device, or somebody else. */
  by: string;
}

/** What is known of the edit behind a change. */
export interface GuardedEdit {
  name: MutationName;
  /** Versions of the row that the person had before them, 0 for none: when they made it, earlier ones of its lane, or decided. */
  on: readonly number[];
}

const view = ['name', 'list', 'search'];

/** What must hold, said here anew: fields that merge, and those that nobody may change unseen by who decides about the row. */
const rules: Record<MutationName, { merges: readonly string[]; asks: readonly string[] }> = {
  saveView: { merges: view, asks: [] },
  deleteView: { merges: [], asks: view },
  markTransfer: { merges: [], asks: ['match_state', 'quantity', 'security_id', 'trx_type_id', 'trx_date'] },
};

/** Every change of a row at the server, and whether one wrote over what nobody who made it had seen. */
export class Overwrites {
  readonly #versions = new Map<string, Row>();
  /** Who wrote a field of a row last, or took the row away. */
  readonly #writers = new Map<string, string>();

  /** @returns what was written over unseen, in words; null where nothing was. */
  note({ id, before, after, by }: RowChange, edit: GuardedEdit | null): string | null {
    const found = edit && this.#unseen({ id, before, after, by }, edit);
    if (before) this.#versions.set(`${id} ${before.version}`, before);
    if (after) this.#versions.set(`${id} ${after.version}`, after);
    const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    for (const name of names) if (!isSameValue(before?.[name], after?.[name])) this.#writers.set(`${id} ${name}`, by);
    if (!after) this.#writers.set(`${id} gone`, by);
    return found;
  }

  #unseen({ id, before, after, by }: RowChange, { name, on }: GuardedEdit): string | null {
    const isOthers = (what: string): boolean => (this.#writers.get(`${id} ${what}`) ?? by) !== by;
    if (!before) {
      const isNew = on.includes(0) || !after;
      return isNew || !isOthers('gone') ? null : `the row ${id} was deleted, and is made again`;
    }
    const seen = on.map((version) => (version === 0 ? null : this.#versions.get(`${id} ${version}`)));
    const { merges, asks } = rules[name];
    for (const field of [...merges, ...asks]) {
      const isNews = seen.every((row) => row === undefined || !isSameValue(row?.[field], before[field]));
      const isTouched = asks.includes(field) || !isSameValue(after?.[field], before[field]);
      if (isNews && isTouched && isOthers(field)) return `${field} of row ${id} was ${JSON.stringify(before[field])} by then`;
    }
    return null;
  }
}
