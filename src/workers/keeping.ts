import { type CopyStanding, copyStanding } from '#replica/apply.ts';
import { byteText } from '#domain/byte-text.ts';
import { isNoRoom, keepBallast } from '#replica/ballast.ts';
import { bytesOfTransaction, overBudget } from '#replica/budget.ts';
import { clientsCameTo, freeRoomOf, leaveOut, leftOutOf, letGoOf, type LeftOutChoice } from '#replica/left-out.ts';
import { looksOf } from '#replica/looked-at.ts';
import type { Replica } from '#replica/open.ts';
import { pendingMutations } from '#replica/outbox.ts';
import type { EnginePorts } from './ports.ts';
import { letGoOfLeft } from './lost-scopes.ts';
import { progressOf, type Run } from './run.ts';
import type { EntityProgress } from './start.ts';
import type { StatusBoard } from './status-board.ts';

/** For how long there must be no room before a client is let go of, in milliseconds: a download may have taken it for a moment. */
const fullForMs = 10_000;
/** How much of the budget is taken at most after clients were let go of: else the next page would be over it again. */
const fillAgain = 0.8;
/** How long the browser is given to say what room was given back, in milliseconds. */
const judgeAgainAfterMs = 60_000;
/** Names told of clients that went. */
const toldNames = 3;

type Ports = Pick<EnginePorts, 'ballast' | 'now' | 'usage'>;

/** A client that may go. */
interface Goer {
  id: string;
  client_name: string;
  /** How many of its transactions are here. */
  rows: number;
  /** How many are to come still, as far as the server told. */
  toCome: number;
}

/** More is taken than may be, or would be with what is to come; all in bytes. */
interface Excess {
  budget: number;
  usedBytes: number;
  comingBytes: number;
}

/** What of the clients is kept on this device: as the person chose, and as there is room for. */
export class Keeping {
  readonly #ports: Ports;
  readonly #board: StatusBoard;
  readonly #visible: () => readonly string[];
  /** Since when there is no room; null where there is some. */
  #fullSince: number | null = null;
  /** What was found before a pull that therefore did not begin, until clients went for it. */
  #excess: Excess | null = null;
  /** What was told of a client that went. */
  #told: string | null = null;
  #choice: LeftOutChoice | null = null;

  /** @param visible the clients somebody looks at. */
  constructor(ports: Ports, board: StatusBoard, visible: () => readonly string[]) {
    this.#ports = ports;
    this.#board = board;
    this.#visible = visible;
  }

  /** All that was due could be written: what an edit was given when there was no room is kept again. */
  async hadRoom({ replica }: Run): Promise<void> {
    this.#fullSince = null;
    await keepBallast(replica.outbox, this.#ports.ballast);
  }

  /** Whether there is room for more of the copy: what edits were given when there was none is theirs until it is kept again. */
  hasRoom({ replica }: Run): Promise<boolean> {
    return keepBallast(replica.outbox, this.#ports.ballast);
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
    // one that an entity came to is left out anew, with it
    const came = await clientsCameTo(replica, held);
    const newly = next.filter((id) => !held.includes(id) || came.includes(id));
    const isChanged = newly.length > 0 || next.length < held.length;
    if (newly.length > 0) await dropLeft(run);
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
    if (!isTold) this.#board.publish({ entities: progressOf(run, await copyStanding(replica)) });
  }

  /**
   * There was no room for what the server told, or to begin at all: lets go of the client that nobody looked at for longest.
   * @param replica as whoever is to write now may write to it.
   * @returns whether there is more room now.
   */
  async makeRoom(run: Run, replica: Replica): Promise<boolean> {
    const now = this.#ports.now();
    this.#fullSince ??= now;
    // a moment in the future was written by a clock since put right
    if (Math.abs(now - this.#fullSince) < fullForMs) return false;
    const client = (await this.#coldest(run, replica, await copyStanding(replica))).find(({ rows }) => rows > 0);
    if (!client) return false;
    await this.#letGo(run, replica, [client]);
    // whether that was enough is another question
    this.#fullSince = null;
    this.#tell(`There was no room on this device for all clients. ${whichWent([client])}`);
    return true;
  }

  /** Whether there is more on this device than it is to give, or would be with what is to come, and clients may go for it. */
  async isOverBudget(run: Run, standing: CopyStanding): Promise<boolean> {
    const excess = await this.#findExcess(run, standing);
    this.#excess = excess && (await this.#goersFor(run, standing, excess)).length > 0 ? excess : null;
    return this.#excess !== null;
  }

  /**
   * Keeps the copies on this device within its budget: lets go of the clients that nobody looked at for longest, of those first of which
   * not all is here yet. To be called while nothing is pulled.
   * @returns whether any went.
   */
  async fit(run: Run, standing: CopyStanding): Promise<boolean> {
    const excess = this.#excess ?? (await this.#findExcess(run, standing));
    this.#excess = null;
    if (!excess) return false;
    const goers = await this.#goersFor(run, standing, excess);
    if (goers.length === 0) return false;
    await this.#letGo(run, run.replica, goers);
    const took = excess.usedBytes > excess.budget ? 'took' : 'would take';
    this.#tell(`The clients on this device ${took} more than the ${byteText(excess.budget)} they may. ${whichWent(goers)}`);
    return true;
  }

  async #findExcess(run: Run, standing: CopyStanding): Promise<Excess | null> {
    if (!this.#choice || Math.abs(this.#ports.now() - (await this.#choice.clients()).letGoAt) < judgeAgainAfterMs) return null;
    const use = await this.#ports.usage();
    if (!use) return null;
    const kept = progressOf(run, standing).filter(({ phase }) => phase !== 'left_out');
    const comingBytes = bytesOfTransaction * toCome(kept);
    const budget = overBudget(await this.#choice.budget(), { ...use, usedBytes: use.usedBytes + comingBytes });
    return budget === null ? null : { budget, usedBytes: use.usedBytes, comingBytes };
  }

  /** Who is to go that what is here, and is to come, fits again. */
  async #goersFor(run: Run, standing: CopyStanding, { budget, usedBytes, comingBytes }: Excess): Promise<Goer[]> {
    const all = [...standing.held.values()].reduce((sum, rows) => sum + rows, 0);
    const goers: Goer[] = [];
    let over = usedBytes + comingBytes - fillAgain * budget;
    for (const client of await this.#coldest(run, run.replica, standing)) {
      if (over <= 0) break;
      goers.push(client);
      // how much each takes the browser does not say
      over -= (all === 0 ? 0 : (usedBytes * client.rows) / all) + bytesOfTransaction * client.toCome;
    }
    return goers;
  }

  async #letGo(run: Run, replica: Replica, clients: readonly Goer[]): Promise<void> {
    const ids = clients.map(({ id }) => id);
    const held = await leftOutOf(replica);
    await run.sets.without(ids, async () => {
      for (const id of ids) {
        await freeRoomOf(replica, id);
        await letGoOf(replica, id, this.#ports.now());
      }
      await leaveOut(replica, [...held, ...ids], ids);
    });
    this.#choice?.forget();
    // not before: on a full disk it is written where these gave room back
    await dropLeft({ replica, sets: run.sets }).catch((error: unknown) => {
      // the browser may tell late what was given back; the next round does it then
      if (!isNoRoom(error)) throw error;
    });
    run.queries.changed(null);
    await keepBallast(replica.outbox, this.#ports.ballast);
  }

  #tell(text: string): void {
    this.#told = text;
    this.#board.problem = text;
  }

  /**
   * The clients that nobody looks at or has edits waiting for and of which something is here or on its way: the one not looked at for
   * longest first, and of those alike in that the ones of which not all is here.
   */
  async #coldest(run: Run, replica: Replica, standing: CopyStanding): Promise<Goer[]> {
    const progress = progressOf(run, standing);
    const looks = await looksOf(replica);
    const leftOut = await leftOutOf(replica);
    const busy = await clientsWithEdits({ replica });
    return standing.clients
      .filter(({ id }) => !this.#visible().includes(id) && !leftOut.includes(id) && !busy.has(id))
      .map(({ id, client_name }) => {
        const held = progress.filter(({ client_id }) => client_id === id);
        const rows = held.reduce((sum, entity) => sum + entity.rows, 0);
        return { id, client_name, rows, toCome: toCome(held), isWhole: held.every(({ phase }) => phase === 'steady') };
      })
      .filter(({ rows, isWhole }) => rows > 0 || !isWhole)
      .toSorted(
        (a, b) => (looks[a.id] ?? 0) - (looks[b.id] ?? 0) || Number(a.isWhole) - Number(b.isWhole) || b.rows + b.toCome - a.rows - a.toCome,
      );
  }
}

/** How many transactions first pulls of some entities are to bring, as the server counted them; none where it did not. */
function toCome(entities: readonly EntityProgress[]): number {
  return entities.reduce((sum, { rows, rows_in_all: inAll }) => sum + (inAll ?? rows) - rows, 0);
}

/** `Acme and Borealis went, which were not looked at for longest: ...` */
function whichWent(clients: readonly Goer[]): string {
  const names = clients.slice(0, toldNames).map(({ client_name: name }) => name);
  const others = clients.length - names.length;
  if (others > 0) names.push(others === 1 ? 'one other' : `${others} others`);
  const all = names.length === 1 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const one = clients.length === 1;
  return `${all} went, which ${one ? 'was' : 'were'} not looked at for longest: ${one ? 'its' : 'their'} transactions come back when you open ${one ? 'it' : 'them'}. Your edits are kept`;
}

/** What is left out is followed no more: nobody would tell that it may not be seen where an entity of it was before. */
async function dropLeft({ replica, sets }: Pick<Run, 'replica' | 'sets'>): Promise<void> {
  for (const client of (await copyStanding(replica)).left) await letGoOfLeft({ replica, sets }, client);
}

async function clientsWithEdits({ replica }: Pick<Run, 'replica'>): Promise<Set<string | null>> {
  return new Set((await pendingMutations(replica.outbox)).map(({ client_id }) => client_id));
}
