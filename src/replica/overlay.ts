import { type EditedNoun, type MutationInput, type MutationName, mutations } from '#contract/mutations.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { stateAfterMark } from '#domain/transfer-matching.ts';
import { isShown } from './mutation-states.ts';
import type { OutboxRow } from './outbox-database.ts';

export interface NounRow {
  transactions: Transaction;
  transaction_matches: TransactionMatch;
}

/** How an edit changes a row of each noun in the view: a pure function that sets, so that applying it twice is applying it once. */
type Reducers<N extends MutationName> = { [Noun in EditedNoun]?: (row: NounRow[Noun], input: MutationInput<N>) => NounRow[Noun] };

function isLeg(match: TransactionMatch, id: string | null): boolean {
  return id !== null && (match.out_trx_id === id || match.in_trx_id === id);
}

const reducers: { [N in MutationName]: Reducers<N> } = {
  markTransfer: {
    transactions: (row, input) =>
      row.id === input.trx_id || row.id === input.counterpart_id ? { ...row, match_state: stateAfterMark(input) } : row,
    transaction_matches: (row, input) => {
      if (!isLeg(row, input.trx_id) && !isLeg(row, input.counterpart_id)) return row;
      const isPair =
        isLeg(row, input.trx_id) &&
        (input.counterpart_id === null ? row.out_trx_id === null || row.in_trx_id === null : isLeg(row, input.counterpart_id));
      // a decided row takes its other proposals away
      return { ...row, state: isPair ? stateAfterMark(input) : 'REJECTED' };
    },
  },
};

/** A row as the screen shows it: what the server last said, with the edits that wait laid over it. */
export function foldRow<Noun extends EditedNoun>(noun: Noun, base: NounRow[Noun], edits: readonly OutboxRow[]): NounRow[Noun] {
  return edits.reduce((row, edit) => {
    const reduce = reducers[edit.name]?.[noun] as ((row: NounRow[Noun], input: unknown) => NounRow[Noun]) | undefined;
    return reduce && isShown(edit.state) ? reduce(row, edit.input) : row;
  }, base);
}

/** The rows of a noun that waiting edits touch, each with its edits in order. */
export function editsByRow(noun: EditedNoun, edits: readonly OutboxRow[]): Map<string, OutboxRow[]> {
  const byRow = new Map<string, OutboxRow[]>();
  // an edit of a newer build, which this one does not know, waits untouched
  for (const edit of edits.filter(({ name }) => Object.hasOwn(mutations, name))) {
    const touches = mutations[edit.name].touches as (input: unknown) => { noun: EditedNoun; ids: string[] }[];
    for (const touched of touches(edit.input).filter((part) => part.noun === noun)) {
      for (const id of touched.ids) byRow.set(id, [...(byRow.get(id) ?? []), edit]);
    }
  }
  return byRow;
}

/** How a pending row is marked on the screen. */
export interface PendingMark {
  state: OutboxRow['state'];
  since: number;
  detail: string | null;
}

export function markOf(edits: readonly OutboxRow[]): PendingMark | null {
  const last = edits.at(-1);
  return last ? { state: last.state, since: last.created_at, detail: last.error?.detail ?? null } : null;
}
