import { mutationNamed, touchedTransactions } from '#contract/mutations.ts';
import { isChangeAlone, leftAlone, mineOf, picked } from './edited-fields.ts';
import { handWordsOn } from './handed-words.ts';
import { type Fields, isSameValue } from './merge.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { isDecidedBetween, onWhatIsSeen, tellOtherRows } from './other-rows.ts';
import type { EditBase, EditError, OutboxRow, OutboxTables, Receipt } from './outbox-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** Settled edits kept to look up. */
const receiptsKept = 1_000;

type Writing = StoreWriting<OutboxTables>;

/** Takes an edit out of the outbox, leaving a receipt. */
export async function settle(tx: Writing, mutation: OutboxRow, outcome: Receipt['outcome'], now: number): Promise<void> {
  // as it is now: what was settled before it may have handed it another base
  const base = (await tx.get('mutations', mutation.seq))?.base;
  await tx.remove('mutations', mutation.seq);
  if (mutation.file) await tx.removeAll('blobs', { index: 'mutation_id', is: mutation.id });
  if (outcome !== 'accepted') await handOn(tx, base ? { ...mutation, base } : mutation, outcome);
  const isAnswerKept = outcome === 'accepted' && mutation.answer !== undefined && mutationNamed(mutation.name).answers === null;
  if (isAnswerKept) await handAnswerOn(tx, mutation);
  const { answer: _kept, ...without } = mutation;
  await leaveReceipt(tx, isAnswerKept ? mutation : without, outcome, now);
}

/** What was made on what an edit was to leave is made on what is left without it. */
async function handOn(tx: Writing, gone: OutboxRow, outcome: Receipt['outcome']): Promise<void> {
  const isKnown = !isOfNewerBuild(gone);
  const edit = isKnown ? await onWhatIsSeen(tx, gone) : gone;
  const { base } = edit;
  if (!(await isDecidedBetween(tx, edit))) {
    if (isKnown && outcome !== 'replaced')
      await handWordsOn(tx, edit, leftWithout(edit, base, outcome), base?.fields ?? mineOf(edit, null));
    await handBaseOn(tx, edit, base, outcome === 'replaced');
  }
  const instead = outcome === 'theirs' && edit.theirs?.fields ? edit.theirs : null;
  if (isKnown) await tellOtherRows(tx, edit, { isGone: true, ...(instead ? { instead } : {}) });
}

/** What a receipt tells of an edit. */
type Settled = Pick<OutboxRow, 'id' | 'name' | 'title' | 'created_at' | 'is_met' | 'answer' | 'input'> & {
  error?: Pick<EditError, 'detail'>;
};

/** Leaves the receipt of an edit that is not in the outbox, or no more. */
export async function leaveReceipt(tx: Writing, edit: Settled, outcome: Receipt['outcome'], now: number): Promise<void> {
  const touched = outcome === 'accepted' ? touchedTransactions(edit) : [];
  await tx.add('receipts', {
    id: edit.id,
    name: edit.name,
    title: edit.title,
    outcome,
    created_at: edit.created_at,
    settled_at: now,
    detail: edit.error?.detail ?? null,
    ...(edit.is_met ? { is_met: true } : {}),
    ...(edit.answer === undefined ? {} : { answer: edit.answer }),
    ...(touched.length > 0 ? { touched } : {}),
  });
  const surplus = (await tx.count('receipts')) - receiptsKept;
  if (surplus > 0) await tx.removeMany('receipts', await tx.keys('receipts', { limit: surplus }));
}

/** What is left of a row without an edit that is let go of: what somebody else made of it, where the person took that, and it is there. */
function leftWithout({ theirs }: OutboxRow, base: EditBase | undefined, outcome: Receipt['outcome']): Fields | null {
  return (outcome === 'theirs' ? theirs?.fields : null) ?? base?.fields ?? null;
}

/** Edits that follow one take from its answer what they need of it: a server may give what was made another id. */
async function handAnswerOn(tx: Writing, { id, answer }: OutboxRow): Promise<void> {
  const followers = (await tx.list('mutations')).filter((edit) => edit.deps?.includes(id) && !isOfNewerBuild(edit));
  const told = followers.flatMap((edit) => {
    const { heed } = mutationNamed(edit.name);
    return heed ? [{ ...edit, input: heed(edit.input, answer) }] : [];
  });
  await tx.putMany('mutations', told);
}

/** The edit of the lane that was made on what this one was to leave is now made on what this one was made on. */
async function handBaseOn(tx: Writing, gone: OutboxRow, base: EditBase | undefined, hasGivenWay: boolean): Promise<void> {
  const next = (await tx.list('mutations', { index: 'lane', is: gone.lane })).find((edit) => edit.seq > gone.seq);
  if (next?.base?.version !== null || isOfNewerBuild(next)) return;
  // of one of the first builds nobody knows what it was made on: the next one is compared with all that its person saw
  if (!base) return;
  // what changes a row has none to change where this was to make it: whether it did, the server knows
  if (base.fields === null && isChangeAlone(next)) return;
  // nor is there none where somebody else made it: once that is deleted the server could not tell it from one that never was
  if (base.fields === null && isMadeByOthers(gone)) return;
  const isReplaced = hasGivenWay && !isOfNewerBuild(gone);
  const says = [...new Set([...((isReplaced && gone.says) || []), ...(next.says ?? [])])];
  await tx.put('mutations', { ...next, base: baseWithout(gone, base, { next, isReplaced }), ...(says.length > 0 ? { says } : {}) });
}

/**
 * What an edit is made on without the one before it: but for what that one said, the row as its person saw it. What one that gave way said,
 * and the next left alone, that one says from now on.
 */
function baseWithout(gone: OutboxRow, base: EditBase, { next, isReplaced }: { next: OutboxRow; isReplaced: boolean }): EditBase {
  const [found, seen] = [base.fields, next.base?.fields];
  if (!found || !seen || isOfNewerBuild(gone)) return base;
  // none where it was to delete the row
  const left = mineOf(gone, found);
  const alone = isReplaced ? [] : leftAlone(next);
  const said = Object.keys(found).filter((name) => left && isSameValue(seen[name], left[name]) && !alone.includes(name));
  const fields = { ...found, ...seen, ...picked(found, said) };
  return isSameValue(fields, found) ? base : { ...base, version: null, fields };
}

/** What an edit is that waits for the person because the one it follows, by its title, was let go of. */
function held(title: string): Pick<OutboxRow, 'state' | 'error'> {
  return { state: 'paused_dependency', error: { code: 'conflict', detail: title } };
}

/** How a new edit stands of whose followed ones one was let go of while it was being made; null where none was. */
export async function standingBehind(
  tx: StoreReading<OutboxTables>,
  deps: readonly string[],
): Promise<Pick<OutboxRow, 'state' | 'error'> | null> {
  for (const is of deps) {
    const [receipt] = await tx.list('receipts', { index: 'id', is });
    if (receipt && receipt.outcome !== 'accepted') return held(receipt.title);
  }
  return null;
}

/** Whether a row that an edit was to make is there by somebody else's hand, as far as its conflict tells. */
function isMadeByOthers({ theirs }: OutboxRow): boolean {
  return theirs !== undefined && theirs.fields !== null;
}

/** Whether an edit changes a row that one before it was to make, as far as one knows the only one to. */
function changesWhatItMakes(edit: OutboxRow, made: OutboxRow): boolean {
  return edit.lane === made.lane && edit.seq > made.seq && made.base?.fields === null && !isMadeByOthers(made) && isChangeAlone(edit);
}

/** Edits that follow some that were let go of wait for the person: what they were made on will not be. */
export async function holdFollowers(tx: Writing, gone: readonly OutboxRow[]): Promise<void> {
  const edits = gone.length === 0 ? [] : await tx.list('mutations', { index: 'state', is: 'queued' });
  for (const edit of edits) {
    if (isOfNewerBuild(edit)) continue;
    const lost = gone.find((each) => edit.deps?.includes(each.id) || changesWhatItMakes(edit, each));
    if (lost) await tx.put('mutations', { ...edit, ...held(lost.title) });
  }
}
