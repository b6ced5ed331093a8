import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { listSavedViews } from '#contract/saved-views.ts';
import { listTransactionMatches } from '#contract/transaction-matches.ts';
import { listTransactions, type Transaction } from '#contract/transactions.ts';
import { choosableFields, keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import { draftKey, keepDraft } from '#replica/drafts.ts';
import { mayHaveArrived, needsPerson } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { PullRow } from '#replica/pulls.ts';
import { type Choice, clientToLose, type Deed, foreignDeletion, foreignPerson, foreignPlace, officeEdits, saidOtherwise } from './edits.ts';
import { pickBy, randomOf } from './random.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { fairWeather } from './sim-net.ts';
import { readRights } from './sim-server.ts';
import type { SimDevice, SimWorker } from './sim-device.ts';
import type { Step, StepKind } from './steps.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;

/** Where something happens, and the numbers that choose among what there is. */
interface Moment {
  world: World;
  device: SimDevice;
  worker: SimWorker | undefined;
  one: number;
  other: number;
}

/** Rows a device holds of entities whose first pull is under way. */
function halfPulled(device: SimDevice): string[] {
  const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls');
  const under = new Set(pulls.filter(({ noun, phase }) => noun === 'transactions' && phase !== 'steady').map(({ scope }) => scope));
  return under.size === 0 ? [] : [...rowsOnDisk(device).values()].filter((row) => under.has(`entity:${row.entity_id}`)).map(({ id }) => id);
}

/** An entity of which a page of rows, or the list of its pairs, is on its way to a browser, and takes its time; none without any. */
function lateEntity({ server }: World, { browser }: SimDevice): string | undefined {
  const late = [...browser.lateLists].filter(({ actor }) => !actor.isDead);
  const idsOf = (list: string): Set<string | null> =>
    new Set(late.flatMap(({ path, query }) => (path === list ? [query.get('entity_id')] : [])));
  const [pairs, pages] = [idsOf(listTransactionMatches.path), idsOf(listTransactions.path)];
  const isOnItsWay = ({ id }: { id: string }): boolean => pages.has(id);
  return [...server.matches.values()].find(({ entity_id }) => pairs.has(entity_id))?.entity_id ?? server.entities.find(isOnItsWay)?.id;
}

/** What takes away a row of a list that is on its way to a browser, and takes its time; none without such a list. */
function removalOfLate({ server }: World, { browser }: SimDevice): (() => unknown) | undefined {
  for (const { path, query, actor } of browser.lateLists) {
    if (actor.isDead) continue;
    const [view] = path === listSavedViews.path ? server.views.keys() : [];
    if (view !== undefined) return () => server.deleteView(view);
    const match =
      path === listTransactionMatches.path && [...server.matches.values()].find((row) => row.entity_id === query.get('entity_id'));
    // a match goes with a leg of it
    if (match) return () => server.deleteTransaction(match.out_trx_id ?? match.in_trx_id ?? '');
  }
  return undefined;
}

/** What changes some rows of a page that is on its way to a browser, and takes its time; none without such a page. */
function changeOfLate({ server }: World, { browser }: SimDevice): (() => unknown) | undefined {
  for (const { path, query, actor } of browser.lateLists) {
    if (actor.isDead || path !== listTransactions.path) continue;
    const rows = [...server.transactions.values()].filter(({ entity_id }) => entity_id === query.get('entity_id')).slice(0, 8);
    if (rows.length > 0)
      return async () => {
        for (const { id } of rows) await server.changeTransaction(id);
      };
  }
  return undefined;
}

/** A row goes or is changed, and that is told, while a list that has it is on its way: all lists are read anew, and some answered late. */
async function changeUnderList(moment: Moment): Promise<void> {
  const { world, device, worker, one, other } = moment;
  const { server, scheduler } = world;
  if (!server.hasFeed) return;
  const deed = (one * 16) % 1 < 0.5 ? removalOfLate : changeOfLate;
  device.weather = { ...fairWeather, lateLists: 0.6 };
  await pairUp(moment);
  await server.changeView(pickBy([...server.views.keys()], other) ?? '', null);
  await server.forgetChanges(0);
  worker?.engine.syncNow().catch(() => undefined);
  await scheduler.until(() => deed(world, device) !== undefined, 200);
  await deed(world, device)?.();
  await scheduler.pass(16_000, 200);
}

/** A view with an edit of a device of which nobody knows whether it arrived. */
function uncertainView(world: World, device: SimDevice): string | undefined {
  const lanes = world.pending(device).flatMap(({ lane, state }) => (state === 'uncertain' ? lane : []));
  return [...world.server.views.keys()].find((id) => lanes.includes(`view:${id}`));
}

/** The rows that may be the other leg of a transfer. */
export function counterpartsOf(leg: Transaction, { server }: World): Transaction[] {
  return [...server.transactions.values()].filter(
    (row) => row.entity_id === leg.entity_id && row.account_id !== leg.account_id && row.trx_type_id !== leg.trx_type_id,
  );
}

/** One of them; none where there is none. */
function counterpartOf(leg: Transaction, world: World, by: number, but?: string): string | undefined {
  const others = counterpartsOf(leg, world).filter(({ id }) => id !== but);
  return pickBy(others, by)?.id;
}

/** The person types into the form of an entity that they see, or of its client, and goes on to something else. */
function typeDraft({ world, device, one, other }: Moment): void {
  const replica = device.page?.replica;
  const entity = pickBy(device.disk.peek<{ id: string; client_id: string }>(device.rowsName, 'entities'), other);
  if (!replica || !entity) return;
  const isOfClient = (one * 16) % 1 < 0.2;
  const form = isOfClient ? `client:${entity.client_id}` : `entity:${entity.id}`;
  const fields = isOfClient ? { client_name: `Client ${other}` } : { city: `City ${other}` };
  const about = { client_id: entity.client_id, entity_id: isOfClient ? null : entity.id };
  const draft = { form_key: draftKey(form, world.uuid()), ...about, fields, before: {}, kept_at: device.now };
  keepDraft(replica.outbox, draft).catch(() => undefined);
}

/** Somebody else says of two rows of an entity that they are a transfer. */
async function pairUp({ world, one, other }: Moment): Promise<void> {
  const leg = world.server.transactions.get(pickBy([...world.server.transactions.keys()], other) ?? '');
  const counterpart = leg && counterpartOf(leg, world, one);
  if (leg && counterpart !== undefined) await world.server.markPair(leg.id, counterpart);
}

/** Somebody pairs the first row of a pair with another one, and mostly the second, too: of neither row any field says so then. */
async function pairAnew(world: World, [first, second]: readonly [string, string], by: number): Promise<void> {
  const rows = by < 0.7 ? [first, second] : [first];
  for (const id of rows) {
    const leg = world.server.transactions.get(id);
    const anew = leg && counterpartOf(leg, world, (by * 128) % 1, id === first ? second : first);
    if (anew !== undefined) await world.server.markPair(id, anew);
  }
}

/**
 * The person decides about a pair and then otherwise, once or twice, before their screen shows what became of it; somebody else may have
 * decided between, or paired its rows anew.
 */
async function changeMind({ world, device, worker, one, other }: Moment): Promise<void> {
  const { server, scheduler } = world;
  // nothing that waits already holds it up
  const waiting = new Set(world.pending(device).flatMap(({ input }) => Object.values(input as object) as unknown[]));
  const rows = [...rowsOnDisk(device).keys()].filter((id) => !waiting.has(id)).flatMap((id) => server.transactions.get(id) ?? []);
  const row = pickBy(rows, other);
  const counterpart = row && counterpartOf(row, world, one);
  if (!row || counterpart === undefined) return;
  device.revive();
  device.weather = { ...fairWeather };
  const decide = (trx_id: string, counterpart_id: string, is_transfer: boolean, thinksMs: number): string | null =>
    world.make(device, 'markTransfer', { trx_id, counterpart_id, is_transfer }, { thinksMs });
  const isTransfer = (one * 32) % 1 < 0.7;
  const isTwice = (other * 32) % 1 < 0.5;
  // behind it, or once it was accepted
  const thinksMs = (other * 256) % 1 < 0.5 ? 20 : 4_000;
  const first = decide(row.id, counterpart, isTransfer, 0);
  // from either row, or that it is a pair with another one
  const way = (one * 64) % 1;
  const instead = way > 0.6 ? counterpartOf(row, world, (other * 512) % 1, counterpart) : undefined;
  if (instead !== undefined) decide(row.id, instead, true, thinksMs);
  else if (way < 0.3) decide(counterpart, row.id, !isTransfer, thinksMs);
  else decide(row.id, counterpart, !isTransfer, thinksMs);
  if (isTwice) decide(row.id, counterpart, isTransfer, 2 * thinksMs);
  worker?.engine.sendNow().catch(() => undefined);
  const between = (other * 64) % 1;
  if (between < 0.75) {
    // what waits behind the first may not be sent yet, or may be
    const isSoon = between < 0.4;
    const isDone = (): boolean => (isSoon ? server.effects.has(first ?? '') : world.receipts(device).some(({ id }) => id === first));
    await scheduler.until(isDone, 600);
    const isPairedAnew = (one * 256) % 1 < 0.7;
    if (isPairedAnew) await pairAnew(world, [row.id, counterpart], one);
    else await server.decideTransaction(pickBy([row.id, counterpart], (other * 128) % 1) ?? '', false);
  }
  await scheduler.pass(12_000, 300);
}

/**
 * Somebody else moves an entity to another client, of which lists may be on their way; now and then it is out of sight the moment after, or
 * back where it was.
 */
async function moveEntity({ world, device, one, other }: Moment): Promise<void> {
  const { server, scheduler } = world;
  const late = lateEntity(world, device);
  const entity = server.entities.find(({ id }) => id === late) ?? pickBy(server.entities, other);
  if (!entity) return;
  const { id, client_id: from, organization_id } = entity;
  const into = server.clients.filter((client) => client.id !== from && client.organization_id === organization_id);
  // which device it is on says nothing of where it goes
  const client = pickBy(into, (one * 16) % 1);
  if (!client) return;
  await world.moveEntity(id, client.id);
  const then = (other * 10) % 1;
  if (then >= 0.4) return;
  await scheduler.until(() => false, Math.floor(one * 100));
  await (then < 0.2 ? world.setHidden(id, true) : world.moveEntity(id, from));
}

/** An edit of an entity is accepted, and its worker ends before the copy has what came of it: that the entity is out of sight is told first. */
async function hideUnderSettling({ world, device, worker, one, other }: Moment): Promise<void> {
  const { server, scheduler } = world;
  const held = device.disk.peek<{ id: string }>(device.rowsName, 'entities').filter(({ id }) => server.isEntitySeen(id));
  const entity = pickBy(held, other)?.id;
  if (!worker || entity === undefined || !server.takes('updateEntity')) return;
  device.weather = { ...fairWeather };
  const said = { ...saidOtherwise('updateEntity', one), id: entity };
  const id = world.make(device, 'updateEntity', said as MutationInput<'updateEntity'>);
  const isAccepted = (): boolean => world.pending(device).some((edit) => edit.id === id && edit.state === 'acked');
  await scheduler.until(isAccepted, 150);
  if (!isAccepted()) return;
  device.killWorker(worker);
  await world.setHidden(entity, true);
}

/** A list that a device reads by skipping, within a moment, or a day, that fills whole pages; none where it reads none so. */
function skippedList(device: SimDevice): PullRow | undefined {
  return device.disk.peek<PullRow>(device.rowsName, 'pulls').find(({ noun, cursor }) => noun === 'transactions' && cursor.skip > 0);
}

/**
 * Somebody corrects the dates of an import while some device reads it by skipping: most of what was read of the moment goes, so that what
 * was not read moves up to where the device has been, and perhaps others that it knows come in their place.
 */
async function correctDates({ world, one, other }: Moment): Promise<void> {
  const device = world.devices.find((each) => halfPulled(each).length > 0);
  if (!device) return;
  await world.scheduler.until(() => skippedList(device) !== undefined, 150);
  const list = skippedList(device);
  if (!list) return;
  const at = list.cursor.end_date ?? '';
  const read = [...new Set(list.cursor.tail.map((place) => place.split(' ')[0] ?? ''))].flatMap(
    (id) => world.server.transactions.get(id) ?? [],
  );
  const dayAt = at.slice(0, 10);
  const own = read.filter(({ trx_date }) => trx_date.startsWith(dayAt));
  const gone = Math.ceil(own.length * (0.4 + one / 2));
  const later = new Date(world.scheduler.now - minuteMs).toISOString();
  for (const { id } of own.slice(0, gone)) await world.server.changeTransaction(id, later);
  const strangers = read.filter(({ trx_date }) => !trx_date.startsWith(dayAt)).slice(0, 8);
  // where none is known that could come in between, some of its own move to the end of the day
  const [others, moment] = strangers.length > 0 ? [strangers, at] : [own.slice(gone).slice(0, 8), `${dayAt}T00:00:00.000Z`];
  for (const { id } of other < 0.5 ? [] : others) await world.server.changeTransaction(id, moment);
  await world.scheduler.until(() => skippedList(device)?.cursor !== list.cursor, 50);
}

/** Whether a device's copy has a view as the server has it now. */
function isViewHeld({ server }: World, device: SimDevice, id: string): boolean {
  const held = device.disk.peek<{ id: string; version: number }>(device.rowsName, 'saved_views').find((view) => view.id === id);
  return held?.version === server.views.get(id)?.version;
}

/** The server is restored while a form is open, and its row comes to a version that it had before, and says something else. */
async function restoreUnderForm({ world, device, one, other }: Moment): Promise<void> {
  const id = pickBy([...world.server.views.keys()], other);
  if (id === undefined || !world.server.hasFeed) return;
  await world.server.backUp();
  await world.server.changeView(id, null);
  await world.scheduler.until(() => isViewHeld(world, device, id), 150);
  const view = { id, name: `View ${Math.floor(one * 6)}`, list: 'transactions', search: `q=${one}` } as const;
  world.make(device, 'saveView', view, { thinksMs: 20_000 });
  await world.scheduler.until(() => false, 20);
  await world.restore();
  await world.server.changeView(id, `View ${Math.floor(other * 6)}, restored`);
  await world.scheduler.pass(25_000, 300);
}

/** A view that waits to be made is opened in a form, which is saved once the view was made. */
async function editJustMade({ world, device, worker, one, other }: Moment): Promise<void> {
  const { scheduler } = world;
  device.weather = { ...fairWeather, isOffline: true };
  const view = { id: world.uuid(), name: `View ${Math.floor(one * 6)}, made`, list: 'transactions', search: `q=${one}` } as const;
  const made = world.make(device, 'saveView', view);
  await scheduler.until(() => world.made.get(made ?? '')?.isKept === true, 75);
  world.make(device, 'saveView', { ...view, search: `q=${other}` }, { thinksMs: 10_000 });
  await scheduler.until(() => false, 20);
  device.weather = { ...fairWeather };
  worker?.engine.sendNow().catch(() => undefined);
  await scheduler.pass(12_000, 300);
}

/**
 * The person says several things of one entity, a form after the other, while somebody else does so, too; some the server refuses for a
 * while, and about all of them they decide.
 */
async function workOnOneRow(moment: Moment): Promise<void> {
  const { world, device, worker, one, other } = moment;
  const { server, scheduler } = world;
  const random = randomOf(`one row ${one} ${other}`);
  // whose numbers choose the same entity for either
  const row = random.unit();
  const [mine, theirs] = [row / 16, 0.5 + row / 10];
  device.revive();
  for (let turn = 6 + random.below(8); turn > 0; turn -= 1) {
    const kind = random.pick(onOneRow);
    device.weather = { ...fairWeather, isOffline: random.chance(0.5), lateLists: 0.3 };
    if (kind === 'retry') server.poisoned.clear();
    await happenings[kind]({ ...moment, one: kind === 'foreignPlace' ? theirs : mine, other: random.unit() });
    const latest = [...world.made.values()].at(-1);
    if (kind === 'updateEntity' && latest && random.chance(0.3)) server.poisoned.set(latest.id, random.pick([422, 403, 503]));
    if (random.chance(0.5)) worker?.engine.sendNow().catch(() => undefined);
    await scheduler.pass(random.below(4_000), 60);
  }
}

/** What is done in turn, the likely more than once. */
const onOneRow = [
  ...Array.from({ length: 4 }, () => 'updateEntity' as const),
  ...Array.from({ length: 3 }, () => 'foreignPlace' as const),
  ...(['syncNow', 'keepMine', 'takeTheirs', 'takeTheirs', 'retry', 'retry', 'discard', 'restate'] as const),
];

/** The answer to the deletion of a view is lost, and somebody else makes it anew before that is sent again; perhaps that is told first. */
async function remakeUnanswered({ world, device, one, other }: Moment): Promise<void> {
  const held = device.disk.peek<{ id: string }>(device.rowsName, 'saved_views').filter(({ id }) => world.server.views.has(id));
  const id = pickBy(held, other)?.id;
  if (id === undefined) return;
  const isTold = one < 0.5;
  device.weather = { ...fairWeather, ...(isTold ? { answersSpoilt: true } : { answerLost: 1 }) };
  world.make(device, 'deleteView', { id });
  const isGone = (): boolean => !world.server.views.has(id);
  await world.scheduler.until(isGone, 150);
  if (isGone()) {
    // no edit of these devices left what is there from now on
    world.server.latest.delete(id);
    await world.server.remakeView(id, `View ${Math.floor(one * 6)}, anew`);
  }
  const isUncertain = (): boolean => world.pending(device).some(({ lane, state }) => lane === `view:${id}` && state === 'uncertain');
  await world.scheduler.until(isUncertain, 75);
  if (isTold) await world.scheduler.pass(90_000, 400);
  device.weather = { ...fairWeather };
}

/** An edit of a device that waits, once it is as it should be; none where it does not come to that for a while. */
async function waitingEdit(
  world: World,
  device: SimDevice,
  id: string | null,
  is: (edit: OutboxRow) => boolean,
): Promise<OutboxRow | undefined> {
  const found = (): OutboxRow | undefined => world.pending(device).find((edit) => edit.id === id && is(edit));
  await world.scheduler.until(() => found() !== undefined, 200);
  return found();
}

/**
 * The answer to a change of a view is lost, and its person says that the view is to be as it was: before that is sent again, or once it was
 * set aside, by itself or by another edit.
 */
async function takeBackUnanswered({ world, device, worker, one, other }: Moment): Promise<void> {
  const { scheduler, server } = world;
  const id = pickBy([...server.views.keys()], other);
  const was = server.views.get(id ?? '');
  if (id === undefined || !was) return;
  device.weather = { ...fairWeather, answersSpoilt: true };
  const said = { id, list: 'transactions', search: was.search } as const;
  const made = world.make(device, 'saveView', { ...said, name: `View ${Math.floor(one * 6)}, said` });
  await scheduler.until(() => world.made.get(made ?? '')?.isKept === true, 75);
  worker?.engine.sendNow().catch(() => undefined);
  const way = Math.floor(((one * 16) % 1) * 3);
  const unanswered = await waitingEdit(world, device, made, mayHaveArrived);
  if (made !== null && unanswered && way > 0) {
    server.poisoned.set(made, 403);
    device.weather = { ...fairWeather };
    await waitingEdit(world, device, made, ({ state }) => needsPerson(state));
  }
  const edit = world.pending(device).find((each) => each.id === made);
  if (edit && way < 2) world.takeBack(device, edit);
  else if (edit) world.make(device, 'saveView', { ...said, name: was.name });
  await scheduler.until(() => false, 20);
  server.poisoned.delete(made ?? '');
  device.weather = { ...fairWeather };
}

/** The person has an edit tried again. */
function tryAgain(world: World): Parameters<World['decide']>[2] {
  return (outbox, { id, seq }) => {
    const edit = world.made.get(id);
    if (edit) edit.isRetried = true;
    return retry(outbox, seq);
  };
}

/** What the server refused is said once more, in a form that shows it not; then the first is tried again, and let go of before it is sent. */
async function sayAgain(moment: Moment): Promise<void> {
  const { world, device, worker, one, other } = moment;
  const said = world.server.takes('updateEntity') && officeEdits.updateEntity({ world, one: (one * 16) % 1, other });
  if (!said) return;
  device.weather = { ...fairWeather };
  const first = world.make(device, 'updateEntity', said.input);
  if (first !== null) world.server.poisoned.set(first, 422);
  worker?.engine.sendNow().catch(() => undefined);
  if (!(await waitingEdit(world, device, first, ({ state }) => state === 'refused'))) return;
  device.weather = { ...fairWeather, isOffline: true };
  const second = world.make(device, 'updateEntity', said.input);
  await waitingEdit(world, device, second, () => true);
  const isFirst = (edit: OutboxRow): boolean => edit.id === first;
  world.decideAbout(device, isFirst, tryAgain(world));
  await waitingEdit(world, device, first, ({ state }) => state === 'queued');
  world.decideAbout(device, isFirst, (outbox, { seq }) => discard(outbox, seq, device.now));
  await world.scheduler.until(() => false, 20);
  device.weather = { ...fairWeather };
}

/** A server without a feed is restored from a backup, in which some rows that a device holds are of an older version. */
async function undoChanges({ world, device, worker, other }: Moment): Promise<void> {
  const { server, scheduler } = world;
  const held = [...rowsOnDisk(device).keys()].filter((id) => server.transactions.has(id));
  const id = pickBy(held, other);
  if (server.hasFeed || id === undefined) return;
  device.weather = { ...fairWeather };
  await server.backUp();
  for (let times = 0; times < 4; times += 1) await server.changeTransaction(id);
  worker?.engine.syncNow().catch(() => undefined);
  await scheduler.until(() => rowsOnDisk(device).get(id)?.version === server.transactions.get(id)?.version, 400);
  await world.restore();
}

/** Somebody else does something in the office, where there is something to do. */
function doElsewhere(deedOf: (choice: Choice) => Deed | null): (moment: Moment) => unknown {
  return (moment) => {
    const deed = deedOf(moment);
    const { server } = moment.world;
    return deed && server.takes(deed.endpoint.name as MutationName) ? server.elsewhere(deed.endpoint, deed.input) : null;
  };
}

type OfficeEdit = keyof typeof officeEdits;

/** The person edits something of the office, where there is something to edit. */
function editOffice<N extends OfficeEdit>(name: N): (moment: Moment) => unknown {
  return ({ world, device, one, other }) => {
    // which device it is on and which row it is about are chosen apart
    if (!world.server.takes(name)) return null;
    const said = officeEdits[name]({ world, one: (one * 16) % 1, other });
    return said && world.make(device, name, said.input, said.making);
  };
}

const officeHappenings = Object.fromEntries((Object.keys(officeEdits) as OfficeEdit[]).map((name) => [name, editOffice(name)])) as Record<
  OfficeEdit,
  (moment: Moment) => unknown
>;

/** Rows of one import of somebody else's. */
const bulkRows = 300;

/** What each step does. */
const happenings: Record<StepKind, (moment: Moment) => unknown> = {
  ...officeHappenings,
  restate: ({ world, device, one, other }) => world.restate(device, other, (one * 16) % 1),
  foreignPlace: doElsewhere(foreignPlace),
  foreignDeletion: doElsewhere(foreignDeletion),
  foreignPerson: doElsewhere(foreignPerson),
  loseClient: ({ world, one, other }) => {
    const id = world.server.takes('createClient') ? clientToLose({ world, one, other }) : undefined;
    return id === undefined ? undefined : world.loseClient(id);
  },
  bulkImport: ({ world, one, other }) =>
    one < 0.3 ? world.server.addTransactions(pickBy(world.server.entities, other)?.id ?? '', bulkRows) : undefined,
  saveView: ({ world, device, one, other }) => {
    world.make(device, 'saveView', {
      id: world.viewId(one),
      name: `View ${Math.floor(other * 6)}`,
      list: 'transactions',
      search: `q=${other}`,
    });
  },
  deleteView: ({ world, device, other }) => {
    world.make(device, 'deleteView', { id: world.viewId(other) });
  },
  markTransfer: ({ world, device, one, other }) => {
    // what lay in a place that is gone nobody sees any more, wherever they are
    const { entities } = world.server.office;
    const row = pickBy(
      [...world.server.transactions.values()].filter(({ entity_id }) => entities.has(entity_id)),
      other,
    );
    const deps = one > 0.4 && one < 0.6 ? world.pending(device).slice(-1) : [];
    if (!row) return;
    // every other one with another row
    const by = (one * 16) % 1;
    const counterpart_id = (by < 0.5 ? counterpartOf(row, world, by * 2) : undefined) ?? null;
    world.make(device, 'markTransfer', { trx_id: row.id, counterpart_id, is_transfer: one < 0.5 }, { deps: deps.map(({ id }) => id) });
  },
  typeDraft,
  foreignAdd: ({ world, other }) => world.server.addTransaction(pickBy(world.server.entities, other)?.id ?? ''),
  foreignChange: ({ world, other }) => world.server.changeTransaction(pickBy([...world.server.transactions.keys()], other) ?? ''),
  foreignView: async ({ world, device, worker, one, other }) => {
    const id = one < 0.5 ? uncertainView(world, device) : undefined;
    await world.server.deleteView(id ?? pickBy([...world.server.views.keys()], other) ?? '');
    // told before the edit is sent again
    if (id !== undefined) worker?.engine.syncNow().catch(() => undefined);
  },
  remakeUnanswered,
  takeBackUnanswered,
  sayAgain,
  undoChanges,
  editJustMade,
  workOnOneRow,
  foreignRename: ({ world, one, other }) =>
    world.server.changeView(pickBy([...world.server.views.keys()], other) ?? '', `View ${Math.floor(one * 6)}`),
  foreignFilter: ({ world, other }) => world.server.changeView(pickBy([...world.server.views.keys()], other) ?? '', null),
  foreignDecision: ({ world, one, other }) => world.server.decideTransaction(world.editedTransaction(other) ?? '', one < 0.3),
  foreignPair: pairUp,
  changeMind,
  correctDates,
  foreignDelete: ({ world, other }) => world.server.deleteTransaction(pickBy([...world.server.transactions.keys()], other) ?? ''),
  hideEntity: ({ world, other }) => world.setHidden(pickBy(world.server.entities, other)?.id ?? '', true),
  showEntity: ({ world, other }) => world.setHidden(pickBy(world.server.entities, other)?.id ?? '', false),
  hideUnderSettling,
  moveEntity,
  takeRight: ({ world, other }) => world.withhold([pickBy(readRights, other) ?? 'transaction_read']),
  giveRights: ({ world }) => world.withhold([]),
  changeUnderList,
  blinkEntity: async (moment) => {
    const { world, device, worker, one, other } = moment;
    const { server, scheduler } = world;
    if (one < 0.6) {
      // its lists are asked for just before, and some of them answered late
      device.weather = { ...fairWeather, lateLists: 0.6 };
      await pairUp(moment);
      await server.forgetChanges(0);
      worker?.engine.syncNow().catch(() => undefined);
      await scheduler.until(() => other < 0.7 && lateEntity(world, device) !== undefined, Math.floor((other % 0.7) * 400));
    }
    const id = lateEntity(world, device) ?? pickBy(server.entities, other)?.id ?? '';
    // what was asked for before is answered after
    await world.setHidden(id, true);
    // or after that was told, and it stays out of sight
    if ((one * 10) % 1 < 0.5) return scheduler.pass(16_000, 200);
    await scheduler.until(() => false, Math.floor(one * 100));
    return world.setHidden(id, false);
  },
  holdFeed: ({ world, other }) => world.server.holdFeed(other * 5 * minuteMs),
  forgetChanges: async ({ world, device, one, other }) => {
    if (one < 0.5) return world.server.forgetChanges(Math.floor(other * 20));
    // what was just changed is forgotten, too: if it can be rows of entities that are being read, and slowly
    const rows = halfPulled(device);
    if (rows.length > 0) device.weather = { ...device.weather, lateLists: 0.6 };
    for (const id of rows.length > 0 ? rows : [world.editedTransaction(other) ?? '']) await world.server.changeTransaction(id);
    return world.server.forgetChanges(0);
  },
  backUp: ({ world }) => world.server.backUp(),
  restoreServer: ({ world }) => world.restore(),
  restoreUnderForm,
  syncNow: ({ worker }) => {
    worker?.engine.syncNow().catch(() => undefined);
  },
  sendNow: ({ worker }) => {
    worker?.engine.sendNow().catch(() => undefined);
  },
  look: ({ world, worker, one }) => {
    const chosen = one < 0.2 ? world.server.clients : [pickBy(world.server.clients, one)].filter((client) => client !== undefined);
    worker?.engine.look(chosen.map(({ id }) => id)).catch(() => undefined);
  },
  leaveOut: ({ world, worker, one }) => {
    worker?.engine.keepClient(pickBy(world.server.clients, one)?.id ?? '', false).catch(() => undefined);
  },
  takeIn: ({ world, worker, one }) => {
    worker?.engine.keepClient(pickBy(world.server.clients, one)?.id ?? '', true).catch(() => undefined);
  },
  letRun: ({ world, one }) => world.scheduler.until(() => false, Math.floor(one * 60)),
  passSeconds: ({ world, one }) => world.scheduler.pass(one * 20_000, 200),
  passMinutes: ({ world, one }) => world.scheduler.pass(one * 5 * minuteMs, 1_000),
  killWorker: ({ device, worker }) => {
    if (worker) device.killWorker(worker);
  },
  killPage: ({ device }) => {
    device.killPage();
  },
  killBrowser: ({ world, device, one }) => {
    world.killBrowser(device);
    if (one >= 0.2) return;
    device.disk.throwAwayCopies();
    device.losses += 1;
  },
  losePower: ({ world, device }) => {
    world.killBrowser(device);
    device.disk.losePower();
    device.losses += 1;
  },
  secondWorker: ({ device }) => {
    if (device.workers.length < 2 && device.isSignedIn) device.startWorker();
  },
  robLock: ({ device }) => {
    device.browser.locks.take(() => true);
  },
  freezeWorker: ({ world, worker, other }) => {
    if (worker) worker.actor.frozenUntil = world.scheduler.now + other * 30 * minuteMs;
  },
  freezeTab: ({ device, other }) => {
    const [shortMs, longMs] = [5_000, 3 * 86_400_000];
    // minutes as often as days
    device.putTabBy(shortMs * (longMs / shortMs) ** other);
  },
  thawTabs: ({ device, one }) => {
    device.wakeTabs(one < 0.3);
  },
  closeConnections: async ({ world, device, one, other }) => {
    // rather in the moment in which something was written and nobody knows
    if (other < 0.7) await world.scheduler.until(() => device.disk.isToldLater, 75);
    device.disk.loseConnections();
    if (one < 0.3) device.disk.failingOpens = Math.floor(other * 4);
  },
  removeCopy: ({ device }) => device.removeCopy(),
  clearBrowser: ({ world, device, other }) => {
    if (other < 0.3) world.clear(device);
  },
  blockOpens: ({ world, device, other }) => {
    device.disk.blockedUntil = world.scheduler.now + other * 2 * minuteMs;
  },
  weather: ({ world, device, other }) => {
    device.weather = world.anyWeather(other);
  },
  fillDisk: ({ device, other }) => {
    device.disk.failingWrites = Math.floor(other * 8);
  },
  setQuota: ({ device, one, other }) => {
    // of what the browser says it allows the app takes 60 %
    device.disk.quota = one < 0.3 ? Infinity : device.disk.taken * (1.2 + other);
  },
  discard: ({ world, device, other }) => {
    world.decide(device, other, (outbox, { seq }) => discard(outbox, seq, device.now));
  },
  retry: ({ world, device, other }) => {
    world.decide(device, other, tryAgain(world));
  },
  keepMine: ({ world, device, other }) => {
    world.settleConflict(device, other, true, (outbox, edit) => keepMine(outbox, edit));
  },
  chooseFields: ({ world, device, other }) => {
    world.settleConflict(device, other, false, (outbox, edit) =>
      keepMine(
        outbox,
        edit,
        choosableFields(edit)
          .slice(0, 1)
          .map(({ name }) => name),
      ),
    );
  },
  takeTheirs: ({ world, device, other }) => {
    world.settleConflict(device, other, false, (outbox, edit) => takeTheirs(outbox, edit, device.now));
  },
  lackRow: ({ world, worker }) => {
    world.server.lackRow();
    worker?.engine.syncNow().catch(() => undefined);
  },
  demandUpdate: ({ world }) => {
    world.server.oldestBuild = Math.max(...world.devices.map(({ build }) => Number(build))) + 1;
  },
  updateApp: ({ world, device }) => {
    if (Number(device.build) < world.server.oldestBuild) device.update(String(world.server.oldestBuild));
  },
  setClock: ({ device, other }) => {
    device.setClock(Math.round((other * 2 - 1) * mostSkewMs));
  },
  setClockRight: ({ device }) => device.setClock(0),
  ageSession: ({ device }) => {
    if (device.browser.session === 'good') device.browser.session = 'old';
  },
  endSession: ({ device }) => {
    device.browser.session = 'ended';
  },
  signInAgain: ({ device }) => {
    if (!device.isSignedIn) return;
    device.browser.session = 'good';
    // whoever signs in opens the engine anew
    for (const worker of device.workers) void device.openEngine(worker);
  },
  switchUser: ({ world, one }) => {
    world.guest?.switchUser(one);
  },
  guestEdit: ({ world, other }) => {
    world.guest?.edit(other);
  },
};

/** How far somebody's clock is off at most, in milliseconds. */
const mostSkewMs = 3 * 86_400_000;

/** Steps that let things go on are followed by nothing of the kind. */
const waits: ReadonlySet<StepKind> = new Set(['letRun', 'passSeconds', 'passMinutes']);

/** Does one thing, and lets what follows from it go on for a while. */
export async function take(world: World, { kind, one, other }: Step): Promise<void> {
  const device = pickBy(world.devices, one);
  if (!device) return;
  await happenings[kind]({ world, device, worker: pickBy(device.workers, other), one, other });
  if (waits.has(kind)) return;
  await world.scheduler.until(() => false, Math.floor(other * 13));
  device.revive();
  world.guest?.device.revive();
}
