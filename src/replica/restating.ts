import type { MutationInput, MutationName } from '#contract/mutations.ts';
import type { AssignUserInput } from '#contract/users.ts';
import { changeAfter, changeInPlaceOf } from '#domain/assignment-changes.ts';
import { withBallast } from './ballast.ts';
import { asChange, isMaking, isSayable, isUndecided, keptInput, sentAnew, sentOnTheirs } from './conflicts.ts';
import { freeingName } from './freed-names.ts';
import { handWordsOn, layBeneath } from './handed-words.ts';
import { type Fields, isSameValue } from './merge.ts';
import { hasPerhapsArrived, isOnItsWay, isShown, mayHaveArrived, needsPerson } from './mutation-states.ts';
import { byGivenIds } from './new-ids.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { addEdit } from './outbox.ts';
import type { EditBase, OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import { leftAsFound, mineOf, picked, saying } from './edited-fields.ts';
import type { SeenRow } from './rebase.ts';
import type { StoreWriting } from './store.ts';

type Writing = StoreWriting<OutboxTables>;

/** What an edit is called by. */
export interface TitledEdit extends Pick<OutboxRow, 'name' | 'input' | 'title' | 'file'> {
  /** The row it is made on, as far as it is compared; null where there is none, or it is not known. */
  was: Fields | null;
  /** The edit it follows, where that one is said otherwise. */
  ahead?: OutboxRow;
}

/** What the person says in place of what an edit says. */
export interface Said {
  /** The edit's input as their form began with it and as it ended: what they left alone there stays as it is by now. */
  begun: Fields;
  ended: Fields;
  /** What the edit was made on by then, and what somebody else made of the row, where the person saw that. */
  base: EditBase | undefined;
  theirs: EditBase | undefined;
  /** Edits, by id, that must be accepted first; left out, they stay the same. */
  deps?: readonly string[];
  titleOf: (edit: TitledEdit) => string;
  /** The id, and the moment, of the edit that says it, where one behind the other has to. */
  id: string;
  now: number;
}

/** Whether an edit may have had its effect and goes on by itself: it stands, and what is said otherwise goes behind it. */
export function stands(edit: OutboxRow): boolean {
  return isOnItsWay(edit.state) || (mayHaveArrived(edit) && !needsPerson(edit.state));
}

/** Whether an edit behind this one can say it otherwise. Where another one is there already, that is the one to change. */
function isLastWord(edit: OutboxRow, edits: readonly OutboxRow[]): boolean {
  return isSayable(edit.name) && !edits.some(({ lane, seq }) => lane === edit.lane && seq > edit.seq);
}

/** Whether the person can still say an edit otherwise, as it stands among those that wait. */
export function isRestatable(edit: OutboxRow, edits: readonly OutboxRow[]): boolean {
  if (isOfNewerBuild(edit) || isOnItsWay(edit.state)) return false;
  if (stands(edit)) return isLastWord(edit, edits);
  // whether it was made nobody knows, and a server that keeps no keys would make another: tried again it is looked for first
  if (isMaking(edit.name) && (edit.resent !== undefined || (edit.is_unkeyed && mayHaveArrived(edit)))) return false;
  // what cannot be changed once it is there is not sent a second time, unless the server said that it did not take it
  return !mayHaveArrived(edit) || isSayable(edit.name) || edit.state === 'refused';
}

/** Whether what an edit is to make is not there, as far as one knows: all that it says can still be said otherwise. */
export function isStillToMake(edit: OutboxRow): boolean {
  const isThere = edit.theirs !== undefined && edit.theirs.fields !== null;
  return isMaking(edit.name) && !stands(edit) && !isThere;
}

/**
 * The person says an edit otherwise. One that had no effect keeps its place and what it was made on; of one in conflict that is the row
 * as somebody else left it. One that may have had its effect stands, and another behind it says it.
 * A conflict the person has not seen stays one.
 * @returns false where it is too late: it is settled, or nothing changes any more what was sent.
 * @throws when it could not be written; then the edit is as it was.
 */
export function restate(outbox: OutboxStore, seq: number, formed: Said): Promise<boolean> {
  const write = async (tx: Writing): Promise<boolean> => {
    const said = await byGivenIds(tx, formed);
    const edits = await tx.list('mutations');
    const edit = edits.find((each) => each.seq === seq);
    if (!edit || isOfNewerBuild(edit)) return false;
    const isBehind = stands(edit);
    if (!(isBehind ? isLastWord(edit, edits) : isRestatable(edit, edits))) return false;
    const changed = changedBy(said);
    if (!canSay(edit, changed)) return false;
    const shown = asBegun(edit, said, Object.keys(changed));
    if (!isBehind) await sayInPlace(tx, shown, { ...said, changed });
    else if (Object.keys(changed).length > 0) await sayBehind(tx, shown, { ...said, changed });
    return true;
  };
  return withBallast(outbox, 0, () => outbox.write(['mutations', 'receipts', 'blobs', 'marks'], write));
}

/** An edit as the form that says it otherwise showed it: of what it was brought together with since, who changes the same saw nothing. */
function asBegun(edit: OutboxRow, { begun, base: former }: Said, changed: readonly string[]): OutboxRow {
  const { base } = edit;
  if (!base?.fields) return edit;
  const { fields } = base;
  // what another form had the edit say meanwhile is no change of the row
  const shown = former?.fields ?? begun;
  const names = leftAsFound(edit, changed).filter((name) => name in fields && !isSameValue(fields[name], shown[name]));
  return names.length === 0 ? edit : { ...edit, base: { ...base, version: null, fields: { ...fields, ...picked(shown, names) } } };
}

function changedBy({ begun, ended }: Said): Fields {
  return Object.fromEntries(Object.entries(ended).filter(([name, value]) => !isSameValue(begun[name], value)));
}

/** Whether all that was changed can be said of what may be there by now. */
function canSay(edit: OutboxRow, changed: Fields): boolean {
  const input = { ...(edit.input as Fields), ...changed };
  return isStillToMake(edit) || Object.keys(changed).every((name) => name in (asChange(edit.name, input).input as Fields));
}

type Restated = (made: AssignUserInput, said: AssignUserInput) => object;

/** What an edit says otherwise. One that says what is to change, and not what is to be, takes nothing back by leaving it out. */
function saidOtherwise(edit: OutboxRow, changed: Fields, restated: Restated | null): Fields {
  const input = { ...(edit.input as Fields), ...changed };
  if (edit.name !== 'assignUser' || !restated) return input;
  return { ...input, ...restated(edit.input as AssignUserInput, input as unknown as AssignUserInput) };
}

/** In its own place: what may have arrived takes back, too, what it no longer says. */
function inputInPlace(edit: OutboxRow, changed: Fields): Fields {
  return saidOtherwise(edit, changed, mayHaveArrived(edit) ? changeInPlaceOf : null);
}

/** What may have arrived and is taken back is not left alone: it is changed from what may be there by now. */
function takenBack(edit: OutboxRow, input: Fields): { base?: EditBase } {
  const { base } = edit;
  if (!base?.fields || !hasPerhapsArrived(edit)) return {};
  const [found, was, is] = [base.fields, mineOf(edit, base.fields), mineOf({ ...edit, input }, base.fields)];
  if (!was || !is) return {};
  const names = Object.keys(is).filter((name) => isSameValue(is[name], found[name]) && !isSameValue(was[name], is[name]));
  return names.length === 0 ? {} : { base: { ...base, version: null, fields: { ...found, ...picked(was, names) } } };
}

/** An edit that says something else, as it goes on. */
function goingOn(edit: OutboxRow, input: Fields, changed: Fields, theirs: EditBase | undefined): OutboxRow {
  if (!isUndecided(edit)) return { ...sentAnew(edit), input, ...takenBack(edit, input) };
  // what came while the form was open is not written over unseen
  if (!isSameValue(edit.theirs, theirs)) return { ...edit, input };
  return sentOnTheirs(edit, { ...(keptInput(edit) as Fields), ...changed });
}

async function sayInPlace(tx: Writing, edit: OutboxRow, { changed, theirs, deps, titleOf }: Said & { changed: Fields }): Promise<void> {
  const input = inputInPlace(edit, changed);
  const { after: _former, ...told } = saying({ ...goingOn(edit, input, changed, theirs), ...(deps ? { deps } : {}) }, Object.keys(changed));
  const before = (await tx.list('mutations')).filter(({ seq }) => seq < edit.seq);
  const after = freeingName(told, before);
  const title = titleOf({ ...told, was: told.base?.fields ?? null });
  const restated = { ...told, ...(after.length > 0 ? { after } : {}), title };
  await tx.put('mutations', restated);
  // what was refused to be made stays in sight, what was refused to be changed does not
  await handWordsOn(tx, edit, mineOf({ ...edit, input }, edit.base?.fields ?? null));
  if (!isShown(edit.state) && edit.base?.fields) await layBeneath(tx, restated);
  await retitleFollowers(tx, restated, titleOf);
}

/** The row an edit was made on, as who makes one behind it saw it. */
function seenBy({ base }: OutboxRow): SeenRow | null | undefined {
  if (!base) return undefined;
  return base.fields && { ...base.fields, version: base.version ?? 0 };
}

async function sayBehind(
  tx: Writing,
  edit: OutboxRow,
  { changed, deps = [], titleOf, id, now }: Said & { changed: Fields },
): Promise<void> {
  const { name, input } = asChange(edit.name, saidOtherwise(edit, changed, changeAfter));
  const seen = seenBy(edit);
  await addEdit(tx, {
    id,
    name,
    input: input as MutationInput<MutationName>,
    title: titleOf({ name, input, title: edit.title, was: mineOf(edit, edit.base?.fields ?? null) }),
    now,
    clientId: edit.client_id,
    entityId: edit.entity_id,
    isInformed: true,
    changes: Object.keys(changed),
    deps,
    ...(seen === undefined ? {} : { seen }),
  });
}

/** Edits that wait for one to be accepted may tell its words in theirs. */
async function retitleFollowers(tx: Writing, ahead: OutboxRow, titleOf: Said['titleOf']): Promise<void> {
  const followers = (await tx.list('mutations')).filter((edit) => edit.deps?.includes(ahead.id) && !isOfNewerBuild(edit));
  await tx.putMany(
    'mutations',
    followers.map((edit) => ({ ...edit, title: titleOf({ ...edit, was: edit.base?.fields ?? null, ahead }) })),
  );
}
