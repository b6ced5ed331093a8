import type { GuardedRow } from '#contract/endpoint.ts';
import { mutationNamed, type MutationInput, type MutationName } from '#contract/mutations.ts';
import type { MarkTransferInput } from '#contract/transaction-matches.ts';
import { stateAfterMark } from '#domain/transfer-matching.ts';
import type { NewFile } from '#replica/edit-files.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import { type OutboxRow, outboxFormat } from '#replica/outbox-tables.ts';
import { rowOfEdit } from '#replica/edited-fields.ts';
import { isFormEdit } from '#replica/lanes.ts';
import { foldRow } from '#replica/overlay.ts';
import { isMadeNoun, type MadeNoun, type NounRow } from '#replica/reducers.ts';
import { mayChange, type SeenVersion } from './overwrites.ts';
import type { SimDevice } from './sim-device.ts';
import type { Sending } from './sim-server.ts';

/** An edit somebody made, and whether they were told that it is kept. */
export interface MadeEdit {
  id: string;
  lane: string;
  /** The row it is about; null for one of which the copy keeps none. */
  about: GuardedRow | null;
  /** The row it is made in, by id; null for one that is made in none. */
  place: string | null;
  device: SimDevice;
  isKept: boolean;
  name: MutationName;
  /** When the person began it, UTC milliseconds. */
  begunAt: number;
  /** The person had it tried again. */
  isRetried: boolean;
  /** Edits, by id, that were let go of when the person decided that this one, which follows them, goes on. */
  without: readonly string[];
  /** It was made when its device did not wait for it any more. */
  wasLate: boolean;
  /** How often they decided between it and somebody else's change. */
  decisions: number;
  /** The versions of its row that they were told of when they did. */
  told: readonly SeenVersion[];
  /** When they let go of it, UTC milliseconds; null where they did not. */
  letGoAt: number | null;
  deps: string[];
  /** Its row as the person had it before them; null where that was not kept. */
  on: readonly SeenVersion[] | null;
  /** The same as the screen showed it; null where there was none. */
  shown: Fields | null;
  /** Its form showed no row, whatever its person learned of it since. */
  isBlind: boolean;
  /** What it says, and what the person had it say since. */
  said: readonly Fields[];
  /** Of each of these what the person changed in its form; null before it was open, and once they chose what of it holds. */
  words: readonly Fields[] | null;
  /** Its row as its form showed it first, and as they saw it when they decided. */
  found: readonly Fields[];
  /** What its form showed whenever the person said it otherwise: what others changed meanwhile may have been brought together with it. */
  opened: readonly Fields[];
  /** Another row it rests on, as the person had it and as the screen showed it; null where it rests on none, or on edits of theirs. */
  rests: { id: string; on: SeenVersion; shown: Fields } | null;
  /** Decisions of the person, from whichever row, that were not settled when this was begun: what they say they know, the screen shown late or not. */
  beneath: readonly MadeEdit[];
  /** Its attempts: when each began, by which worker, and whether its device followed a feed by then. */
  tries: (Sending & { followsFeed: boolean })[];
  /** Both as they were before the person decided about it: edits behind it may have been made by then. */
  former: { on: readonly SeenVersion[]; shown: readonly Fields[] };
  /** Those that were made before the person decided about it. */
  behind: readonly string[];
  /** Those of its lane that were kept before it was, though their forms may have been opened later. */
  keptBefore: readonly string[];
  /** The list its row would be in had been read by then. */
  isListRead: boolean;
  /** No other edit of its lane was being made on the device between the look at the row and the edit. */
  isAlone: boolean;
  /** Its browser has cleared everything since. */
  isCleared: boolean;
}

/** What an edit needs beside what it says. */
export interface Making {
  /** Edits it follows, by id. */
  deps?: readonly string[];
  /** What it lies in, which may wait to be made itself. */
  in?: { noun: MadeNoun; id: string };
  /** How long its form is open, in milliseconds. */
  thinksMs?: number | undefined;
  /** What it brings along. */
  file?: NewFile;
  /** Another edit that follows it, made with it. */
  behind?: { name: MutationName; input: MutationInput<MutationName>; file: NewFile };
}

/** A row of a decision as the decisions beneath it say it is. */
export function saidBeneath({ beneath }: MadeEdit, id: string): Fields[] {
  const about = beneath.flatMap(({ said }) => said).filter(({ trx_id, counterpart_id }) => trx_id === id || counterpart_id === id);
  return about.map((mark) => ({ match_state: stateAfterMark(mark as MarkTransferInput) }));
}

/** One that was just begun. */
export function aMadeEdit<N extends MutationName>(
  id: string,
  name: N,
  input: MutationInput<N>,
  { device, now }: { device: SimDevice; now: number },
): MadeEdit {
  return {
    id,
    name,
    lane: mutationNamed(name).lane(input),
    about: rowOfEdit({ name, input }),
    place: null,
    device,
    isKept: false,
    begunAt: now,
    isRetried: false,
    without: [],
    wasLate: false,
    decisions: 0,
    told: [],
    letGoAt: null,
    deps: [],
    on: null,
    shown: null,
    isBlind: true,
    opened: [],
    rests: null,
    beneath: [],
    tries: [],
    said: [input as Fields],
    words: null,
    found: [],
    former: { on: [], shown: [] },
    behind: [],
    keptBefore: [],
    isListRead: false,
    isAlone: true,
    isCleared: false,
  };
}

/** What a person changed in a form that showed a row so; null where it showed none. */
export function wordsOf(shown: Fields | null, said: Fields): Fields {
  return Object.fromEntries(Object.entries(said).filter(([field, value]) => !isSameValue(value, shown?.[field] ?? null)));
}

/**
 * Whether a row is as the person had an edit say, be it before they had it say something else, which may come too late. What is as they
 * found it before all that had no effect is left alone, and what was so at the server already is done: there the row may be as somebody
 * else left it since.
 * @param replaced the edits whose place it took.
 * @param others the row as other edits, and other people, left it: when it was begun, and since.
 */
export function saysSo({ name, words, found }: MadeEdit, replaced: readonly MadeEdit[], others: readonly Fields[], row: Fields): boolean {
  const before = [...found, ...replaced.flatMap((each) => each.found), ...others];
  const holds = ([field, value]: [string, unknown]): boolean =>
    !mayChange(name, field) || isSameValue(row[field], value) || before.some((each) => isSameValue(each[field] ?? null, value));
  return words === null || words.some((each) => Object.entries(each).every(holds));
}

/**
 * A row that the person had left themselves as an edit finds it, where edits that came to nothing hid fields of it: what the form then showed
 * was never at the server, and who says what it is there says what is so already. The rest is as the form showed it.
 * @param hiding edits that gave way or were let go of, and left nothing of the row.
 * @returns null where no form showed the row.
 */
export function leftBeneath({ shown }: MadeEdit, hiding: readonly MadeEdit[], left: Fields): Fields | null {
  const said = hiding.flatMap(({ words }) => words ?? []);
  const isHidden = ([field]: [string, unknown]): boolean =>
    said.some((each) => field in each && isSameValue(each[field], shown?.[field] ?? null));
  return shown && { ...shown, ...Object.fromEntries(Object.entries(left).filter(isHidden)) };
}

/**
 * The fields of a row that an edit changed to what its person said neither with it nor with others of its row: its form said them again, over
 * what was there by then.
 * @param others those of their edits of the row that they did not let go of.
 */
export function unsaidIn(
  { name, words }: MadeEdit,
  others: readonly MadeEdit[],
  { before, after }: { before: Fields; after: Fields },
): string[] {
  if (words === null || !isFormEdit(name)) return [];
  const said = [...words, ...others.flatMap((each) => each.words ?? each.said)];
  const isSaid = (field: string): boolean => said.some((each) => field in each && isSameValue(each[field], after[field]));
  return Object.keys(after).filter((field) => mayChange(name, field) && !isSameValue(before[field], after[field]) && !isSaid(field));
}

/** A row as an edit that says so leaves it; null where it leaves none, or has none to change. */
function leftBy({ name, about }: MadeEdit, input: Fields, row: Fields | null): Fields | null {
  if (!about || (!row && !isMadeNoun(about.noun))) return null;
  const edit = { v: outboxFormat, name, input, state: 'queued', created_at: 0 } as OutboxRow;
  const over = row ? { ...row, id: about.id } : undefined;
  return (foldRow(about.noun, over as NounRow[typeof about.noun], [edit]) as Fields | undefined) ?? null;
}

/**
 * What some edits of a row said, each with what that leaves of it, one after the other: who gives somebody a role, or assigns something
 * to them, says how a field changes and not what it is to be.
 */
export function leftThrough(edits: readonly MadeEdit[], shown: Fields | null): Fields[] {
  let row = shown;
  return edits.flatMap((edit) =>
    edit.said.map((input) => {
      row = leftBy(edit, input, row);
      return { ...input, ...row };
    }),
  );
}
