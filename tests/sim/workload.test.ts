import { describe, expect, test } from 'vitest';
import { type MutationInput, type MutationName, mutations } from '#contract/mutations.ts';
import { officeEdits } from './edits.ts';
import { Watcher } from './invariants.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { comeToRest, mark, saveView } from './scenes.ts';
import { editOfKey } from './sim-server.ts';
import type { Making } from './made-edit.ts';
import { type ServerKind, World } from './world.ts';

// What the worlds of the simulator are full of, in scenes: whatever seeds make of it, each of it is there.

const kinds: ServerKind[] = ['feed', 'specification'];

async function aWorld(kind: ServerKind, seed = 11) {
  const world = new World(seed, { devices: 1, kind });
  const watcher = new Watcher(world);
  await comeToRest(world, watcher);
  const [device] = world.devices as [World['devices'][0]];
  const kept = async (id: string): Promise<string> => {
    expect(await world.scheduler.until(() => world.made.get(id)?.isKept === true, 2_000)).toBe(true);
    return id;
  };
  const edit = <N extends MutationName>(name: N, input: MutationInput<N>, making: Making = {}): Promise<string> =>
    kept(world.edit(0, name, input, { ...making, thinksMs: 0 }));
  return { world, watcher, device, kept, edit };
}

describe.each(kinds)('at a server of kind %s', (kind) => {
  test('[SM20] each edit that may wait is made offline, in what waits itself, too, and has its effect once', async () => {
    const { world, watcher, device, kept, edit } = await aWorld(kind);
    const { server } = world;
    device.weather = { ...device.weather, isOffline: true };
    const organization = world.uuid();
    await edit('createOrganization', { id: organization, name: 'New office' });
    await edit('updateOrganization', { id: organization, name: 'Newer office' });
    const empty = world.uuid();
    await edit('createOrganization', { id: empty, name: 'Not for long' });
    const client = world.uuid();
    const inOffice: Making = { in: { noun: 'organizations', id: organization } };
    await edit('createClient', { id: client, organization_id: organization, client_name: 'New client' }, inOffice);
    await edit('updateClient', { id: client, client_name: 'Newer client' });
    const made = officeEdits.createEntity({ world, one: 0.9, other: 0.1 })?.input;
    if (!made) throw new Error('There is no room for an entity');
    await edit('createEntity', { ...made, client_id: client }, { in: { noun: 'clients', id: client } });
    await edit('updateEntity', { ...made, city: 'Somewhere' });
    const asset = officeEdits.archiveAsset({ world, one: 0.9, other: 0.1 })?.input;
    if (!asset) throw new Error('There is nothing to archive');
    await edit('archiveAsset', asset);
    const [person = ''] = server.office.users.keys();
    await edit('updateUser', { id: person, name: 'Renamed', is_enabled: true });
    await edit('setUserRole', { id: person, organization_id: server.clients[0]?.organization_id ?? '', role_id: 'auditor' });
    const none = { unassign_clients: [], assign_entities: [], unassign_entities: [] };
    await edit('assignUser', { id: person, assign_clients: [server.clients[0]?.id ?? ''], ...none });
    const ticket = { id: world.uuid(), headline: 'It hangs', description: 'Often', priority: 'low', reporter: 'a@example.org' } as const;
    const file = { name: 'screen.png', type: 'image/png', bytes: new Uint8Array(9) };
    await edit('submitTicket', ticket, { behind: { name: 'attachToTicket', input: { ticket_id: ticket.id }, file } });
    const view = world.uuid();
    await kept(saveView(world, 'Mine', view));
    await kept(mark(world));
    expect(server.effects.size).toBe(0);
    await comeToRest(world, watcher);
    expect(server.office.entities.get(made.id)).toMatchObject({ client_id: client, city: 'Somewhere' });

    device.weather = { ...device.weather, isOffline: true };
    await edit('unarchiveAsset', { id: asset.id });
    await edit('deleteEntity', { id: made.id });
    await edit('deleteView', { id: view });
    await edit('deleteOrganization', { id: empty });
    await comeToRest(world, watcher);

    expect(world.pending(device)).toEqual([]);
    expect([...world.made.values()].filter(({ id }) => server.effects.get(id) !== 1)).toEqual([]);
    const had = new Set([...server.effects.keys()].map((key) => world.made.get(editOfKey(key))?.name));
    expect([...had].toSorted()).toEqual(Object.keys(mutations).toSorted());
  });

  test('[SM21] an import of two thousand rows arrives whole, and of a client that is deleted nothing is left', async () => {
    // told in large pages: in others it is many turns and nothing new
    const seed = Array.from({ length: 100 }, (_, no) => no).find((no) => new World(no, { devices: 1, kind }).server.feedCap > 1_000);
    const { world, watcher, device } = await aWorld(kind, seed);
    const { server } = world;
    server.mood.pageCap = 100;
    const [entity] = server.entities as [(typeof server.entities)[0]];
    const before = server.visibleTransactions().length;
    await server.addTransactions(entity.id, 2_000);
    await comeToRest(world, watcher);
    expect(rowsOnDisk(device).size).toBe(before + 2_000);

    await world.loseClient(entity.client_id);
    await comeToRest(world, watcher);
    expect([...rowsOnDisk(device).values()].filter(({ entity_id }) => entity_id === entity.id)).toEqual([]);
    expect(device.disk.peek<{ client_id: string }>(device.rowsName, 'entities').map(({ client_id }) => client_id)).not.toContain(
      entity.client_id,
    );
  });

  test('[SM22] what waits is said otherwise where it waits, and reaches the server as it was said last, once', async () => {
    const { world, watcher, device, edit } = await aWorld(kind);
    device.weather = { ...device.weather, isOffline: true };
    const input = { id: world.uuid(), organization_id: world.server.clients[0]?.organization_id ?? '', client_name: 'First said' };
    const id = await edit('createClient', input);
    world.restate(device, 0, 0.5);
    const name = (): unknown => (world.pending(device)[0]?.input as { client_name?: string } | undefined)?.client_name;
    expect(await world.scheduler.until(() => name() !== 'First said', 500)).toBe(true);
    const last = name();
    await comeToRest(world, watcher);
    expect(world.server.office.clients.get(input.id)?.client_name).toBe(last);
    expect(world.server.effects.get(id)).toBe(1);
  });
});
