import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Entity } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { keepMine, keptInput, takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { foldRows } from '#replica/overlay.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { restate } from '#replica/restating.ts';
import { ackedMutations, retire, startTerm } from '#replica/sending.ts';
import { attempt } from '#workers/attempt.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';

const typed = ['entity_name', 'city', 'zip_code'] as const;
type Typed = (typeof typed)[number];
type Words = Record<Typed, string>;
const generation = 'g';

/** What becomes of an attempt that the server would take. */
const fates = ['taken', 'later', 'refused', 'forbidden', 'lost', 'unheard'] as const;
type Fate = (typeof fates)[number];

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('save' as const), field: fc.constantFrom(...typed) }) },
  // forms that stay open while others are saved, and are saved then
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('saveOpened' as const), field: fc.constantFrom(...typed), at: fc.nat(1) }) },
  // and one that says an edit otherwise
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('openAgain' as const), at: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restateOpened' as const), field: fc.constantFrom(...typed) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('others' as const), field: fc.constantFrom(...typed) }) },
  // the row goes out of sight, or comes back
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), fate: fc.constantFrom(...fates) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restate' as const), field: fc.constantFrom(...typed), at: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('decide' as const), isKept: fc.boolean(), at: fc.nat(2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One entity at a server that compares versions, a person who changes it on one device, and others who do so elsewhere. Each word is said once. */
async function aScene() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const { outbox } = replica;
  const epoch = await startTerm(outbox);
  const first: Words = { entity_name: 'n0', city: 'c0', zip_code: 'z0' };
  const given = { organization_id: uuidv7(), client_id: uuidv7(), active_accounts: 0, inactive_accounts: 0, last_update: null };
  const before: Entity = { id: uuidv7(), ...given, ...entityFields, ...first, version: 1 };
  let [server, now, count, isHidden] = [before, 1, 0, false];
  let copy: Entity | null = before;
  const open: SeenRow[] = [];
  let openAgain: OutboxRow | null = null;
  const answers = new Map<string, Entity>();
  const said = new Map<Typed, string[]>(typed.map((field) => [field, []]));
  const [letGo, written] = [new Set<string>(), new Set<string>()];
  /** What its person had before them where they said a word, or kept it. */
  const known = new Map<string, Set<unknown>>();
  const know = (word: string, ...over: unknown[]): void => void known.set(word, new Set([...(known.get(word) ?? []), ...over]));
  /** Whether they had seen something, be it by the words that theirs took the place of. */
  const isKnown = (word: string, was: string, asked = new Set([word])): boolean =>
    [...(known.get(word) ?? [])].some((each) => {
      if (each === was) return true;
      // two forms may each have been seen in the other
      if (asked.has(String(each))) return false;
      return isKnown(String(each), was, asked.add(String(each)));
    });
  const wrongs: string[] = [];

  const edits = () => pendingMutations(outbox);
  const shown = async (): Promise<SeenRow | null> =>
    copy && ({ ...foldRows('entities', [copy], await edits())[0]!, _generation: generation } as unknown as SeenRow);

  /** Whoever decides about a conflict, or says otherwise what is in one, sees what somebody else said. */
  function knowTheirs({ input, theirs }: OutboxRow): void {
    for (const field of typed) know((input as Words)[field], theirs?.fields?.[field]);
  }

  async function save(seen: SeenRow, field: Typed): Promise<void> {
    count += 1;
    const word = `mine ${count}`;
    const shownThere = Object.fromEntries(typed.map((name) => [name, seen[name]])) as unknown as Words;
    const input = { ...entityFields, ...shownThere, id: server.id, [field]: word };
    const [clientId, entityId] = [server.client_id, server.id];
    // what they had before them in another form was seen by them, too
    know(word, seen[field], ...(await edits()).map(({ input: other }) => (other as Words)[field]));
    await enqueue(outbox, { id: uuidv7(), name: 'updateEntity', input, title: word, now, clientId, entityId, seen });
    await note(field, word);
  }

  /** What gave way to something else that was said of the same later, and waits, needs no writing any more. */
  async function note(field: Typed, word: string): Promise<void> {
    said.get(field)!.push(word);
    const waiting = await edits();
    for (const [each, words] of said) {
      const waits = (one: string): boolean => waiting.some(({ input }) => (input as Words)[each] === one);
      const isOutdone = (one: string, at: number): boolean => !written.has(one) && !waits(one) && words.slice(at + 1).some(waits);
      said.set(
        each,
        words.filter((one, at) => !isOutdone(one, at)),
      );
    }
  }

  /** @param edit as it was when the form was opened. */
  async function sayOtherwise(field: Typed, edit: OutboxRow | undefined): Promise<void> {
    const waiting = await edits();
    const at = waiting.findIndex(({ seq }) => seq === edit?.seq);
    if (!edit || at < 0) return;
    // what one behind it says of the field holds after it
    const wordOf = (each: OutboxRow) => (each.input as Words)[field];
    if (waiting.slice(at).some((each) => wordOf(each) !== wordOf(waiting[at]!))) return;
    count += 1;
    const word = `mine ${count}`;
    const begun = keptInput(edit) as Fields;
    const form = { begun, ended: { ...begun, [field]: word }, base: edit.base, theirs: edit.theirs };
    know(word, begun[field], wordOf(edit), edit.theirs?.fields?.[field]);
    knowTheirs(edit);
    if (await restate(outbox, edit.seq, { ...form, titleOf: () => word, id: uuidv7(), now })) await note(field, word);
  }

  function write(input: Words): void {
    for (const field of typed.filter((name) => input[name] !== server[name])) {
      const [word, was] = [input[field], String(server[field])];
      const isUnseen = was.startsWith('theirs') && !isKnown(word, was);
      if (!word.startsWith('mine') || letGo.has(word) || isUnseen) wrongs.push(`${field}: ${word} written over ${was}`);
      written.add(word);
    }
    server = { ...server, ...input, version: server.version + 1 };
  }

  function asked(fate: Fate): ApiCall {
    const failure = { later: 'unavailable', refused: 'invalid', forbidden: 'permission_denied', unheard: 'network' } as const;
    const answer = (input: Words, { idempotencyKey = '', ifVersion }: { idempotencyKey?: string; ifVersion?: number }): Entity => {
      const known = answers.get(idempotencyKey);
      if (known) return known;
      const current = isHidden ? null : server;
      if (ifVersion !== (current?.version ?? 0))
        throw new ApiError({ code: 'stale_version', detail: 'Changed', beside: { current }, isSaid: true });
      if (!current) throw new ApiError({ code: 'not_found', detail: 'Not found', isSaid: true });
      if (fate !== 'taken' && fate !== 'lost') throw new ApiError({ code: failure[fate], detail: fate, isSaid: fate !== 'unheard' });
      write(input);
      answers.set(idempotencyKey, server);
      if (fate === 'lost') throw new ApiError({ code: 'network', detail: 'lost' });
      return server;
    };
    return ((_endpoint, input, options) =>
      Promise.resolve().then(() => answer(input as unknown as Words, (options ?? {}) as { idempotencyKey?: string }))) as ApiCall;
  }

  async function send(fate: Fate): Promise<void> {
    now += 120_000;
    const [head] = await claimHeads(outbox, epoch, now, 1);
    if (!head) return;
    const ports = { call: asked(fate), now: () => now, random: () => 0, build: 'b', keepsKeys: true, generation };
    await settleAttempt(outbox, epoch, head.seq, await attempt(ports, head), now);
    const acked = await ackedMutations(outbox);
    if (acked.length > 0 && !isHidden) copy = server;
    await retire(outbox, epoch, acked, now);
  }

  /** What an edit says that is let go of, but for what those ahead of it say. */
  function forget(edit: OutboxRow, ahead: readonly OutboxRow[]): void {
    const words = (each: OutboxRow) => typed.map((field) => (each.input as Words)[field]);
    const others = new Set(ahead.flatMap(words));
    for (const word of words(edit).filter((each) => each.startsWith('mine') && !others.has(each))) letGo.add(word);
  }

  async function decide(isKept: boolean, at: number): Promise<void> {
    const waiting = await edits();
    const edit = waiting[at];
    if (!edit) return;
    if (edit.state === 'conflict') {
      if (!isKept) forget(edit, waiting.slice(0, at));
      else knowTheirs(edit);
      await (isKept ? keepMine(outbox, edit) : takeTheirs(outbox, edit, now));
    } else if (isKept) await retry(outbox, edit.seq);
    else if (edit.state === 'refused' || edit.state === 'paused_permission') {
      forget(edit, waiting.slice(0, at));
      await discard(outbox, edit.seq, now);
    }
  }

  async function take(each: Step): Promise<void> {
    const row = await shown();
    if (each.kind === 'save' && row) await save(row, each.field);
    else if (each.kind === 'open' && row) open.push(row);
    else if (each.kind === 'hide') isHidden = !isHidden;
    else if (each.kind === 'saveOpened' && open.length > 0) await save(open.splice(each.at % open.length, 1)[0]!, each.field);
    else if (each.kind === 'openAgain') openAgain = (await edits())[each.at] ?? openAgain;
    else if (each.kind === 'sync') copy = isHidden ? null : server;
    else if (each.kind === 'send') await send(each.fate);
    else if (each.kind === 'restate') await sayOtherwise(each.field, (await edits())[each.at]);
    else if (each.kind === 'restateOpened' && openAgain) await sayOtherwise(each.field, openAgain);
    else if (each.kind === 'decide') await decide(each.isKept, each.at);
    else if (each.kind === 'others') {
      count += 1;
      server = { ...server, [each.field]: `theirs ${count}`, version: server.version + 1 };
    }
    if (each.kind === 'restateOpened') openAgain = null;
  }

  /** With the row in sight sends all, and keeps what the person said wherever they are asked. */
  async function finish(): Promise<void> {
    isHidden = false;
    for (let turn = 0; turn < 100 && (await edits()).length > 0; turn += 1) {
      await decide(true, 0);
      await send('taken');
    }
  }

  /** What was said last of each field, was not let go of, and never came to the server. */
  function unwritten(): string[] {
    return typed.flatMap((field) => {
      const last = said.get(field)!.findLast((word) => !letGo.has(word));
      return last === undefined || written.has(last) ? [] : [`${field}: ${last} was lost`];
    });
  }
  return { take, finish, edits, wrongs, unwritten, close: () => closeReplica(replica) };
}

test('[OB47] whatever becomes of the edits of a row, nothing is written but what its person said and did not let go of, and all of that', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      const scene = await aScene();
      for (const each of steps) await scene.take(each);
      await scene.finish();
      const found = [scene.wrongs, scene.unwritten(), await scene.edits()];
      scene.close();
      expect(found).toEqual([[], [], []]);
    }),
    { numRuns: 1000 },
  );
});
