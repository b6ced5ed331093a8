import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { mutations } from '#contract/mutations.ts';
import { discard } from '#replica/decisions.ts';
import { draftKey, keepDraft } from '#replica/drafts.ts';
import type { NewFile } from '#replica/edit-files.ts';
import type { Replica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';
import type { Draft, OutboxRow } from '#replica/outbox-tables.ts';
import type { SeenRow } from '#replica/rebase.ts';
import type { RowNoun } from '#replica/row-tables.ts';
import { type Outcome, retire, startTerm, takeTurn } from '#replica/sending.ts';
import { testNow } from '#tests/support/server.ts';
import { fixedId } from './place.ts';

const draft: Draft = {
  form_key: draftKey('client:new', '1'),
  client_id: null,
  entity_id: null,
  fields: { client_name: 'Typed' },
  before: { client_name: '' },
  kept_at: testNow,
};

/** What else an edit is made with. */
export interface MadeWith {
  seen?: SeenRow | null;
  deps?: readonly string[];
  file?: NewFile;
}

/** Makes edits, sends them and settles them, in a build's own way: what of a fixture differs from build to build. */
export async function aHand(page: Replica) {
  const { outbox, rows } = page;
  const epoch = await startTerm(outbox);
  let made = 0;
  const turn = (most: number, attempted: { seq: number; outcome: Outcome }[] = []): Promise<OutboxRow[]> =>
    takeTurn(outbox, epoch, { attempted, now: testNow, most });
  return {
    /** @returns the edit's id. */
    async add<N extends MutationName>(name: N, input: MutationInput<N>, more: MadeWith = {}): Promise<string> {
      const id = fixedId(900 + made);
      made += 1;
      const noun = mutations[name].answers as RowNoun | null;
      const about = (input as { id?: string }).id;
      const held = noun && about !== undefined ? await rows.read([noun], (tx) => tx.get(noun, about)) : undefined;
      const seen = held as SeenRow | undefined;
      await enqueue(outbox, {
        id,
        name,
        input,
        title: `${name} ${made}`,
        now: testNow + made,
        clientId: null,
        entityId: null,
        ...(noun === null ? {} : { seen: seen ?? null }),
        ...more,
      });
      return id;
    },
    /** Takes the first edit that may be sent. */
    async claim(): Promise<OutboxRow> {
      const [edit] = await turn(1);
      if (!edit) throw new Error('Nothing may be sent');
      return edit;
    },
    settle: (seq: number, outcome: Outcome) => turn(0, [{ seq, outcome }]),
    retire: async (seq: number) => retire(outbox, epoch, [(await outbox.read(['mutations'], (tx) => tx.get('mutations', seq)))!], testNow),
    /** Leaves a form that was neither saved nor cancelled. */
    leaveTyped: () => keepDraft(outbox, draft),
    discard: async (id: string) => {
      const [edit] = await outbox.read(['mutations'], (tx) => tx.list('mutations', { index: 'id', is: id }));
      await discard(outbox, edit!.seq, testNow);
    },
  };
}

export type Hand = Awaited<ReturnType<typeof aHand>>;
