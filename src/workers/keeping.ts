import { copyStanding } from '#replica/apply.ts';
import { keepBallast } from '#replica/ballast.ts';
import { freeRoomOf, leaveOut, leftOutOf, letGoOf, type LeftOutChoice } from '#replica/left-out.ts';
import { looksOf } from '#replica/looked-at.ts';
import type { Replica } from '#replica/open.ts';
import { pendingMutations } from '#replica/outbox.ts';
import { scopeKey } from '#replica/scopes.ts';
import type { EnginePorts } from './ports.ts';
import { progressOf, type Run } from './run.ts';
import type { StatusBoard } from './status-board.ts';

/** For how long there must be no room before a client is let go of, in milliseconds: a download may have taken it for a moment. */
const fullForMs = 10_000;

/** What of the clients is kept on this device: as the person chose, and as there is room for. */
export class Keeping {
  readonly #ports: Pick<EnginePorts, 'ballast' | 'now'>;
  readonly #board: StatusBoard;
  readonly #visible: () => readonly string[];
  /** Since when there is no room; null where there is some. */
  #fullSince: number | null = null;
  /** What was told of a client that went. */
  #told: string | null = null;
  #choice: LeftOutChoice | null = null;

  /** @param visible the clients somebody looks at. */
  constructor(ports: Pick<EnginePorts, 'ballast' | 'now'>, board: StatusBoard, visible: () => readonly string[]) {
    this.#ports = ports;
    this.#board = board;
    this.#visible = visible;
  }

  /** All that was due could be written. */
  hadRoom(): void {
    this.#fullSince = null;
  }

  /** Does what was chosen. Of a client with edits that wait the rows stay until those are sent. */
  async follow(run: Run, choice: LeftOutChoice): Promise<void> {
    const { replica, sets } = run;
    this.#choice = choice;
    const held = await leftOutOf(replica);
    const { chosen, letGo } = await choice.clients();
    const wanted = [...new Set([...chosen, ...letGo])];
    // mostly nothing is: then no edit need be read either
    if (wanted.length + held.length + run.leftOut.size + run.leaving.size === 0) return;
    const busy = await clientsWithEdits(run);
    const next = wanted.filter((id) => held.includes(id) || !busy.has(id));
    const newly = next.filter((id) => !held.includes(id));
    const isChanged = newly.length > 0 || next.length < held.length;
    if (isChanged) await sets.without(newly, () => leaveOut(replica, next, newly));
    if (newly.length > 0) {
      run.queries.changed(null);
      // what made the room was given away before
      await keepBallast(replica.outbox, this.#ports.ballast);
    }
    run.leftOut = new Set(next);
    const leaving = wanted.filter((id) => !next.includes(id));
    const isTold = !isChanged && leaving.length === run.leaving.size && letGo.length === run.letGo.size;
    run.leaving = new Set(leaving);
    // what was told of it is over
    if (letGo.length === 0 && this.#board.problem === this.#told) this.#board.problem = null;
    run.letGo = new Set(letGo);
    if (!isTold) this.#board.publish({ entities: await progressOf(run) });
  }

  /**
   * There was no room for what the server told, or to begin at all: lets go of the client that nobody looked at for longest.
   * @param replica as whoever is to write now may write to it.
   * @returns whether there is more room now.
   */
  async makeRoom(run: Run, replica: Replica): Promise<boolean> {
    const now = this.#ports.now();
    this.#fullSince ??= now;
    if (now - this.#fullSince < fullForMs) return false;
    const client = await this.#coldest(replica);
    if (!client) return false;
    const held = await leftOutOf(replica);
    await run.sets.without([client.id], async () => {
      await freeRoomOf(replica, client.id);
      await letGoOf(replica, client.id);
      await leaveOut(replica, [...held, client.id], [client.id]);
    });
    // whether that was enough is another question
    this.#fullSince = null;
    this.#choice?.forget();
    run.queries.changed(null);
    await keepBallast(replica.outbox, this.#ports.ballast);
    this.#told = `There was no room on this device for all clients. ${client.client_name} went, which was not looked at for longest: its transactions come back when you open it. Your edits are kept`;
    this.#board.problem = this.#told;
    return true;
  }

  /** Of the clients whose rows are here, and that nobody looks at or has edits waiting for, the one not looked at for longest. */
  async #coldest(replica: Replica): Promise<{ id: string; client_name: string } | undefined> {
    const { clients, entities, pulls } = await copyStanding(replica);
    const looks = await looksOf(replica);
    const leftOut = await leftOutOf(replica);
    const busy = await clientsWithEdits({ replica });
    const rows = new Map(pulls.filter(({ noun }) => noun === 'transactions').map(({ scope, rows: count }) => [scope, count]));
    const rowsOf = (id: string): number =>
      entities.reduce((sum, entity) => sum + (entity.client_id === id ? (rows.get(scopeKey('entity', entity.id)) ?? 0) : 0), 0);
    const [coldest] = clients
      .filter(({ id }) => !this.#visible().includes(id) && !leftOut.includes(id) && !busy.has(id) && rowsOf(id) > 0)
      .toSorted((a, b) => (looks[a.id] ?? 0) - (looks[b.id] ?? 0) || rowsOf(b.id) - rowsOf(a.id));
    return coldest;
  }
}

async function clientsWithEdits({ replica }: Pick<Run, 'replica'>): Promise<Set<string | null>> {
  return new Set((await pendingMutations(replica.outbox)).map(({ client_id }) => client_id));
}
