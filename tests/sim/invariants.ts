import type { Transaction } from '#contract/transactions.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { ColdRecord } from '#replica/row-tables.ts';
import type { SimDevice } from './sim-device.ts';
import type { World } from './world.ts';

export class BrokenInvariant extends Error {
  constructor(name: string, what: string) {
    super(`${name}: ${what}`);
    this.name = 'BrokenInvariant';
  }
}

/** The rows that a device's disk holds, each in the version written last. */
export function rowsOnDisk(device: SimDevice): Map<string, Transaction> {
  const records = device.disk.peek<ColdRecord>(device.rowsName, 'cold').filter(({ noun }) => noun === 'transactions');
  const rows = new Map<string, Transaction>();
  for (const { rows: text } of records.toSorted((a, b) => a.no - b.no))
    for (const row of JSON.parse(text) as Transaction[]) rows.set(row.id, row);
  return rows;
}

/** Watches a world: what must hold at every moment, and what it has seen so far. */
export class Watcher {
  readonly #world: World;
  readonly #seqs = new Map<string, number>();
  readonly #epochs = new Map<SimDevice, number>();
  readonly #versions = new Map<SimDevice, Map<string, number>>();
  #losses = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** After every step. */
  check(): void {
    for (const device of this.#world.devices) {
      this.#nothingLost(device);
      this.#oneAtATime(device);
    }
    this.#onceAndInOrder();
  }

  /** Now and then: it reads everything. */
  checkRows(): void {
    if (this.#losses !== this.#world.powerLosses) this.#versions.clear();
    this.#losses = this.#world.powerLosses;
    for (const device of this.#world.devices) {
      this.#cursorIsHonest(device);
      this.#versionsGrow(device);
    }
  }

  #nothingLost(device: SimDevice): void {
    const pending = this.#world.pending(device);
    for (const { id, seq } of pending) this.#seqs.set(id, seq);
    const held = new Set([...pending, ...this.#world.receipts(device)].map(({ id }) => id));
    for (const edit of this.#world.made.values()) {
      if (edit.isKept && edit.device === device && !held.has(edit.id)) throw new BrokenInvariant('I1', `edit ${edit.id} is nowhere`);
    }
  }

  #oneAtATime(device: SimDevice): void {
    const lanes = this.#world.pending(device).flatMap(({ lane, state }) => (state === 'sending' ? [lane] : []));
    if (new Set(lanes).size < lanes.length) throw new BrokenInvariant('I10', `two edits of one lane on their way: ${lanes.join()}`);
    const [term] = device.disk.peek<{ epoch: number }>(device.outboxName, 'term');
    const epoch = term?.epoch ?? 0;
    if (epoch < (this.#epochs.get(device) ?? 0)) throw new BrokenInvariant('I8', `the term went back to ${epoch}`);
    this.#epochs.set(device, epoch);
  }

  #onceAndInOrder(): void {
    const { server, made, devices } = this.#world;
    const latest = new Map<string, number>();
    for (const [key, times] of server.effects) {
      if (times > 1) throw new BrokenInvariant('I2', `edit ${key} had its effect ${times} times`);
      const edit = made.get(key);
      if (!edit) throw new BrokenInvariant('I2', `nobody made the edit ${key}`);
      const seq = this.#seqs.get(key);
      if (seq === undefined) continue;
      const lane = `${edit.device.name} ${edit.lane}`;
      if (seq < (latest.get(lane) ?? 0)) throw new BrokenInvariant('I3', `edit ${key} of ${lane} came after a later one`);
      latest.set(lane, seq);
    }
    for (const device of devices) {
      for (const { id, outcome } of this.#world.receipts(device))
        if (outcome === 'accepted' && server.effects.get(id) !== 1)
          throw new BrokenInvariant('I2', `edit ${id} is called accepted and had no effect`);
    }
  }

  /** What a pull says is complete holds every row that was there all the time. */
  #cursorIsHonest(device: SimDevice): void {
    const rows = rowsOnDisk(device);
    const pulls = device.disk.peek<PullRow>(device.rowsName, 'pulls').filter(({ noun }) => noun === 'transactions');
    for (const { scope, complete_from } of pulls) {
      if (complete_from === null) continue;
      for (const id of this.#world.server.untouched) {
        const row = this.#world.server.transactions.get(id);
        if (!row || `entity:${row.entity_id}` !== scope || Date.parse(row.trx_date) <= complete_from) continue;
        if (!rows.has(id))
          throw new BrokenInvariant(
            'I5',
            `${device.name} says it is complete from ${new Date(complete_from).toISOString()} and lacks ${id}`,
          );
      }
    }
  }

  #versionsGrow(device: SimDevice): void {
    const seen = this.#versions.get(device) ?? new Map<string, number>();
    this.#versions.set(device, seen);
    for (const { id, version } of rowsOnDisk(device).values()) {
      if (version < (seen.get(id) ?? 0)) throw new BrokenInvariant('I8', `row ${id} went back to version ${version}`);
      seen.set(id, version);
    }
  }
}

/** What is left to do once everything is healed; empty when nothing is. */
export function unfinished(world: World): string[] {
  return world.devices.flatMap((device) => {
    const stuck = new Set<string>();
    const waiting = world.pending(device).filter(({ lane, state }) => {
      if (needsPerson(state)) stuck.add(lane);
      return !stuck.has(lane);
    });
    const unread = differences(world, device);
    return [
      ...waiting.map(({ id, state }) => `${device.name}: edit ${id} is ${state}`),
      ...unread.map((what) => `${device.name}: ${what}`),
    ];
  });
}

interface Versioned {
  id: string;
  version: number;
}

function compare(what: string, here: Iterable<Versioned>, there: Iterable<Versioned>): string[] {
  const [held, wanted] = [here, there].map((rows) => new Map([...rows].map(({ id, version }) => [id, version]))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const missing = [...wanted].filter(([id]) => !held.has(id)).map(([id]) => `${what} ${id} is missing`);
  const other = [...held].filter(([id, version]) => wanted.get(id) !== version);
  return [...missing, ...other.map(([id, version]) => `${what} ${id} is held in version ${version}, and is ${wanted.get(id) ?? 'gone'}`)];
}

/** Where a device's copy is not what the server has. */
function differences(world: World, device: SimDevice): string[] {
  const { server } = world;
  const table = (name: string): Versioned[] => device.disk.peek<Versioned>(device.rowsName, name);
  return [
    ...compare('client', table('clients'), server.clients),
    ...compare('entity', table('entities'), server.entities),
    ...compare('account', table('accounts'), server.accounts),
    ...compare('security', table('securities'), server.securities),
    ...compare('view', table('saved_views'), server.views.values()),
    ...compare('match', table('transaction_matches'), server.matches.values()),
    ...compare('transaction', rowsOnDisk(device).values(), server.transactions.values()),
  ];
}
