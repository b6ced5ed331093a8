import type { ApiCall } from '#api-client/call.ts';
import { ApiError } from '#contract/errors.ts';
import { mutationCalls } from '#contract/mutation-calls.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { selectTransactions } from '#contract/transactions.ts';
import { nextMutationState } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { SeenRow } from '#replica/rebase.ts';
import type { Outcome } from '#replica/sending.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { pngBytes } from '#tests/support/images.ts';
import { testNow } from '#tests/support/server.ts';
import type { Hand, MadeWith } from './hand.ts';
import { fixedId, pairOf, personEmail, places } from './place.ts';

const error = (code: 'network' | 'conflict' | 'internal' | 'not_authenticated' | 'permission_denied', detail: string) =>
  new ApiError({ code, detail });
const lost: Outcome = {
  event: 'no_answer',
  mayHaveArrived: true,
  nextAttemptAt: testNow + 60_000,
  error: error('network', 'No network'),
};

/** What a server, or what was before it, came to say of edits that wait since. */
const stuck: readonly Outcome[] = [
  { event: 'refuse', error: error('conflict', 'Another person decided about it') },
  { event: 'poison', error: error('internal', 'Internal server error') },
  { event: 'not_authenticated', error: error('not_authenticated', 'Not authenticated') },
  { event: 'permission_denied', error: error('permission_denied', 'Not allowed') },
  { event: 'outdated', changes: { paused_build: 'released' } },
];

const id = {
  organization: fixedId(110),
  client: fixedId(120),
  clientThere: fixedId(121),
  entity: fixedId(130),
  view: fixedId(160),
  ticket: fixedId(170),
};
const nobodys = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

/** An edit that the server took, whatever the browser knows of it. */
export type ArrivedEdit = Pick<OutboxRow, 'id' | 'name' | 'input'>;

/** Has the server take an edit as a build sends it. */
export function sendAs({ id: idempotencyKey, name, input }: ArrivedEdit, call: ApiCall): Promise<unknown> {
  return call(mutationCalls[name].endpoint, input as object, { idempotencyKey });
}

/** Makes edits of every kind a build knows, and brings some of them in every state. @returns those the server took. */
export async function tellStory(hand: Hand, call: ApiCall): Promise<ArrivedEdit[]> {
  const arrived: ArrivedEdit[] = [];
  let pairs = 0;
  const knows = (name: MutationName): boolean => Object.hasOwn(mutationCalls, name);
  const meets = ({ event }: Outcome): boolean => (nextMutationState.sending as Record<string, string | null | undefined>)[event] != null;
  const mark = async (more?: MadeWith): Promise<string> => {
    const { out, into } = pairOf(pairs);
    pairs += 1;
    const [seen] = (await call(selectTransactions, { trx_id: [out] })) as unknown as SeenRow[];
    return hand.add('markTransfer', { trx_id: out, counterpart_id: into, is_transfer: true }, { ...(seen ? { seen } : {}), ...more });
  };
  const arrive = ({ id: key, name, input }: ArrivedEdit): Promise<unknown> => {
    arrived.push({ id: key, name, input });
    return sendAs({ id: key, name, input }, call);
  };
  const send = async (outcome: Outcome): Promise<void> => {
    const { seq } = await hand.claim();
    await hand.settle(seq, outcome);
  };

  await hand.discard(await mark());
  for (const isRetired of [true, false]) {
    await mark();
    const edit = await hand.claim();
    await hand.settle(edit.seq, { event: 'accepted', answer: await arrive(edit) });
    if (isRetired) await hand.retire(edit.seq);
  }
  for (const outcome of stuck.filter(meets)) {
    await mark();
    await send(outcome);
  }
  const isCompared = meets({ event: 'conflict' });
  if (isCompared && knows('saveView')) {
    const fields = { name: 'Quarter', list: 'transactions', search: '' } as const;
    await hand.add('saveView', { id: places.disputedView, ...fields, name: 'Q3' }, { seen: { ...fields, version: 1 } });
    await send({ event: 'conflict', changes: { theirs: { version: 2, fields: { ...fields, name: 'Third quarter' } } } });
    const first = await mark();
    await mark({ deps: [first] });
    await hand.discard(first);
  }
  if (knows('createClient')) {
    await hand.add('createClient', { id: id.clientThere, organization_id: places.organization, client_name: 'There' });
    const edit = await hand.claim();
    await arrive(edit);
    await hand.settle(edit.seq, lost);
  }
  await mark();
  const there = await hand.claim();
  await arrive(there);
  await hand.settle(there.seq, lost);
  await mark();
  await send(lost);
  await mark();
  await hand.claim();

  await hand.leaveTyped();
  const queue = async <N extends MutationName>(name: N, input: MutationInput<N>, more?: MadeWith): Promise<string> =>
    knows(name) ? hand.add(name, input, more) : '';
  await mark();
  await queue('saveView', { id: id.view, name: 'New', list: 'transactions', search: 'unpriced=only' });
  await queue('deleteView', { id: places.deletedView });
  const organization = await queue('createOrganization', { id: id.organization, name: 'Made' });
  const client = await queue(
    'createClient',
    { id: id.client, organization_id: id.organization, client_name: 'Made' },
    { deps: [organization] },
  );
  await queue('createEntity', { id: id.entity, client_id: id.client, ...entityFields }, { deps: [client] });
  await queue('updateOrganization', { id: places.renamedOrganization, name: 'Renamed' });
  await queue('deleteOrganization', { id: places.emptyOrganization });
  await queue('updateClient', { id: places.renamedClient, client_name: 'Renamed' });
  await queue('updateEntity', { id: places.changedEntity, ...entityFields, entity_name: 'Changed', city: 'Bern' });
  await queue('deleteEntity', { id: places.closedEntity });
  await queue('updateUser', { id: places.colleague, name: 'Renamed', is_enabled: true });
  await queue('setUserRole', { id: places.colleague, organization_id: places.organization, role_id: 'auditor' });
  await queue('assignUser', { id: places.colleague, ...nobodys, assign_clients: [places.renamedClient] });
  await queue('archiveAsset', { id: places.toArchive, client_id: places.client, security_id: places.security, is_spam: true });
  await queue('unarchiveAsset', { id: places.archived });
  const ticket = { id: id.ticket, headline: 'Totals differ', description: 'Off by one', priority: 'high', reporter: personEmail } as const;
  const submitted = await queue('submitTicket', ticket);
  await queue(
    'attachToTicket',
    { ticket_id: id.ticket, fileName: 'a.png' },
    { deps: [submitted], file: { name: 'a.png', type: 'image/png', bytes: pngBytes } },
  );
  return arrived;
}
