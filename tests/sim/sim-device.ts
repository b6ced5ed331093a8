import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { SyncEngine } from '#workers/engine.ts';
import type { EnginePorts } from '#workers/ports.ts';
import { Channels } from '#tests/support/channel.ts';
import type { EngineStatus } from '#workers/start.ts';
import type { SimServer } from './sim-server.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { apiAt, type FailedRead, fairWeather, type Fate, type LateList, netOf, type Session, type Weather } from './sim-net.ts';
import { SimDisk } from './sim-store.ts';

/** Who has a lock, or waits for it. */
interface Asking {
  actor: Actor;
  go: () => void;
  /** Tells them that it was taken from them: what they do under it goes on. */
  rob: (error: Error) => void;
}

/** The browser's locks: one holder of a name at a time; whoever dies lets go. */
class SimLocks {
  readonly #scheduler: Scheduler;
  readonly #held = new Map<string, Asking>();
  readonly #waiting = new Map<string, Asking[]>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  portFor(actor: Actor): EnginePorts['withLock'] {
    return async (name, signal, work) => {
      await this.#scheduler.turn(`lock ${name}`, actor);
      if (signal.aborted) throw new Error('AbortError');
      const mine: Asking = { actor, go: () => undefined, rob: () => undefined };
      const robbed = new Promise<never>((_, reject) => {
        mine.rob = reject;
      });
      robbed.catch(() => undefined);
      await this.#acquire(name, mine, signal);
      try {
        await Promise.race([work(), robbed]);
      } finally {
        if (this.#held.get(name) === mine) this.#release(name);
      }
    };
  }

  countFor(actor: Actor): EnginePorts['countLock'] {
    return async (name) => {
      await this.#scheduler.turn(`count ${name}`, actor);
      const waiting = (this.#waiting.get(name) ?? []).filter((asking) => !asking.actor.isDead);
      return waiting.length + (this.#held.has(name) ? 1 : 0);
    };
  }

  /** Who died or was robbed holds nothing any more. */
  take(from: (holder: Actor) => boolean): void {
    // whoever is let in for it is not robbed in turn
    const held = [...this.#held];
    for (const [name, holder] of held) {
      if (!from(holder.actor)) continue;
      this.#release(name);
      if (!holder.actor.isDead) holder.rob(new Error('AbortError'));
    }
  }

  #acquire(name: string, mine: Asking, signal: AbortSignal): Promise<void> {
    if (!this.#held.has(name)) {
      this.#held.set(name, mine);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let isIn = false;
      mine.go = () => {
        isIn = true;
        resolve();
      };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), mine]);
      signal.addEventListener('abort', () => {
        if (isIn) return;
        const left = (this.#waiting.get(name) ?? []).filter((other) => other !== mine);
        this.#waiting.set(name, left);
        // let in, and gone before they came
        if (this.#held.get(name) === mine) this.#release(name);
        reject(new Error('AbortError'));
      });
    });
  }

  #release(name: string): void {
    this.#held.delete(name);
    const waiting = (this.#waiting.get(name) ?? []).filter(({ actor }) => !actor.isDead);
    const next = waiting.shift();
    this.#waiting.set(name, waiting);
    if (!next) return;
    this.#held.set(name, next);
    void this.#scheduler.turn(`granted ${name}`, next.actor).then(next.go);
  }
}

export interface SimWorker {
  actor: Actor;
  engine: SyncEngine;
  status: EngineStatus | null;
  /** Faults of the engine that reached nobody. */
  opened: Promise<void>;
}

export interface SimPage {
  actor: Actor;
  /** Null until the databases are open. */
  replica: Replica | null;
}

/** A browser: its disk, its locks, its network, and whose cookies it has. */
export class SimBrowser {
  readonly disk: SimDisk;
  readonly locks: SimLocks;
  /** Some have none. */
  hasLocks = true;
  weather: Weather = { ...fairWeather };
  readonly lateLists = new Set<LateList>();
  readonly attempts = new Map<string, number>();
  readonly answered = new Map<string, Set<number>>();
  readonly failedReads: FailedRead[] = [];
  /** Whose session its cookies are of. */
  signedIn = '';
  session: Session = 'good';
  /** What becomes of the request that is made now, where that is not left to the weather. */
  fateOf: (() => Fate | null) | null = null;
  /** They are signing out: no tab or worker begins anything for them. */
  isLeaving = false;
  /** The server as each person reaches it. */
  readonly #servers = new Map<string, SimServer>();

  readonly #channels = new Channels();
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.disk = new SimDisk(scheduler);
    this.locks = new SimLocks(scheduler);
  }

  /** What workers tell each other arrives at those that live. */
  channelFor(actor: Actor): NonNullable<EnginePorts['channel']> {
    const deliver = (arrive: () => void): void => void this.#scheduler.turn('message', actor).then(arrive);
    return (name, onMessage) => this.#channels.open(name, onMessage, deliver);
  }

  /** Somebody who uses it; the first one is signed in. */
  welcome(server: SimServer): void {
    this.#servers.set(server.userId, server);
    this.signedIn ||= server.userId;
  }

  /** The server as the cookies reach it; null where whoever asks works for somebody else, and says so. */
  serverFor(userId: string | null): SimServer | null {
    return userId !== null && userId !== this.signedIn ? null : (this.#servers.get(this.signedIn) ?? null);
  }
}

/** What one person has on a browser: their tabs, their workers, their databases. */
export class SimDevice {
  readonly name: string;
  readonly browser: SimBrowser;
  /** Whose it is. */
  readonly userId: string;
  workers: SimWorker[] = [];
  /** Told of how a worker says that things stand. */
  onStatus: (status: EngineStatus) => void = () => undefined;
  page: SimPage | null = null;
  /** Tabs that were put by: the browser lets them do nothing, and wakes them later or throws them away. */
  #asleep: SimPage[] = [];
  /** How often commits of it may have been lost. */
  losses = 0;
  /** How often its copy was deleted, be it beneath the worker that writes to it. */
  removals = 0;
  /** How far its clock was from the world's, in milliseconds, and since when; the latest last. */
  readonly #skews: { from: number; skewMs: number }[] = [{ from: -Infinity, skewMs: 0 }];
  /** How often all that its browser keeps was cleared: edits that waited are gone, and are numbered anew. */
  evictions = 0;
  /** The app's build that workers and pages are started with. */
  build = '1';
  readonly #scheduler: Scheduler;
  /** Where its app comes from. */
  readonly #origin: string;
  #made = 0;

  /** @param server the server as this person reaches it. */
  constructor(name: string, scheduler: Scheduler, server: SimServer, browser = new SimBrowser(scheduler)) {
    this.name = name;
    this.userId = server.userId;
    this.browser = browser;
    this.#scheduler = scheduler;
    this.#origin = server.mood.isElsewhere ? 'http://app.sim' : new URL(apiAt).origin;
    browser.welcome(server);
  }

  get disk(): SimDisk {
    return this.browser.disk;
  }

  get weather(): Weather {
    return this.browser.weather;
  }

  set weather(weather: Weather) {
    this.browser.weather = weather;
  }

  /** What its clock says, UTC milliseconds. */
  get now(): number {
    return this.#scheduler.now + (this.#skews.at(-1)?.skewMs ?? 0);
  }

  /** Somebody sets its clock, or it is set right. */
  setClock(skewMs: number): void {
    if (this.#skews.at(-1)?.skewMs !== skewMs) this.#skews.push({ from: this.#scheduler.now, skewMs });
  }

  /** When it may have been what its clock said once, by the world's: at none or several moments where that was set. UTC milliseconds. */
  momentsOf(said: number): number[] {
    return this.#skews.flatMap(({ from, skewMs }, at) => {
      const moment = said - skewMs;
      const until = this.#skews[at + 1]?.from ?? Infinity;
      return moment >= from && moment <= until ? [moment] : [];
    });
  }

  /** Whether its clock was right from a moment on, UTC milliseconds. */
  isRightSince(moment: number): boolean {
    const { from, skewMs } = this.#skews.at(-1) ?? { from: 0, skewMs: 0 };
    return skewMs === 0 && from <= moment;
  }

  /** Whether the session of its browser is this person's. */
  get isSignedIn(): boolean {
    return this.browser.signedIn === this.userId && !this.browser.isLeaving;
  }

  get outboxName(): string {
    return `tieout-outbox-${this.userId}`;
  }

  get rowsName(): string {
    return `tieout-replica-${this.userId}-e1`;
  }

  /** Whether a database is this person's. */
  owns(database: string): boolean {
    return database === this.outboxName || database === this.rowsName;
  }

  /** The clients that are left out here. */
  get leftOut(): string[] {
    return [...this.#clientsIn('left_out'), ...this.letGo];
  }

  /** Those of them there was no room for. */
  get letGo(): string[] {
    return this.#clientsIn('let_go');
  }

  #clientsIn(record: string): string[] {
    const kept = this.disk.peek<{ k: string; value: unknown }>('tieout-device', 'device').find(({ k }) => k === `${record} ${this.userId}`);
    return (kept?.value ?? []) as string[];
  }

  /** Opens a tab. What opening it needs of the disk comes with time. */
  openPage(): void {
    const page: SimPage = { actor: this.anActor('page'), replica: null };
    this.page = page;
    openReplica(this.disk.hostFor(page.actor), this.userId, this.now).then(
      (replica) => {
        page.replica = replica;
      },
      () => undefined,
    );
  }

  /** Opens a tab that nobody is signed in to: it opens no database by itself. */
  openBareTab(): Actor {
    this.page = { actor: this.anActor('page'), replica: null };
    return this.page.actor;
  }

  /** Starts a worker beside those that run: another build's, during an update. */
  startWorker(): void {
    const actor = this.anActor('worker');
    const { random } = this.#scheduler;
    const engine = new SyncEngine({
      stores: this.disk.hostFor(actor),
      fetch: netOf(this.#scheduler, { browser: this.browser, build: this.build }, actor),
      origin: this.#origin,
      build: this.build,
      ballast: () => new Uint8Array(4096),
      usage: async () => {
        await this.#scheduler.turn('usage', actor);
        return this.disk.quota === Infinity ? null : { usedBytes: this.disk.taken, quotaBytes: this.disk.quota };
      },
      now: () => this.now,
      random: () => random.unit(),
      withLock: this.browser.hasLocks ? this.browser.locks.portFor(actor) : null,
      countLock: this.browser.locks.countFor(actor),
      channel: this.browser.channelFor(actor),
      breathe: () => this.#scheduler.turn('breathe', actor),
      pause: async (ms, signal) => {
        const { done, hurry } = this.#scheduler.after(signal?.aborted === true ? 0 : ms, 'pause', actor);
        signal?.addEventListener('abort', hurry);
        await done;
        signal?.removeEventListener('abort', hurry);
      },
      isSavingData: () => false,
      isOnline: () => !this.weather.isOffline || random.chance(0.5),
      alarm: (ms, ring) => {
        const { done, cancel } = this.#scheduler.after(ms, 'alarm', actor);
        void done.then(ring);
        return cancel;
      },
    });
    const worker: SimWorker = { actor, engine, status: null, opened: Promise.resolve() };
    void engine.watchStatus('sim', (status) => {
      worker.status = status;
      this.onStatus(status);
    });
    worker.opened = this.openEngine(worker);
    this.workers.push(worker);
  }

  /** The person signed in, or again. */
  openEngine({ engine }: Pick<SimWorker, 'engine'>): Promise<void> {
    const opened = engine.open({ userId: this.userId, apiBaseUrl: apiAt, signInId: 'the first' });
    opened.catch(() => undefined);
    return opened;
  }

  killWorker(worker: SimWorker): void {
    this.workers = this.workers.filter((other) => other !== worker);
    this.#kill(worker.actor);
  }

  killPage(): void {
    if (this.page) this.#kill(this.page.actor);
    this.page = null;
  }

  /** The tab is left for another page, or for another tab, for so long: what it was writing is undone. The next one is opened beside it. */
  putTabBy(ms: number): void {
    const { page } = this;
    if (!page) return;
    page.actor.frozenUntil = this.#scheduler.now + ms;
    this.disk.loseConnections((actor) => actor === page.actor);
    this.#asleep.push(page);
    this.page = null;
  }

  /** Tabs that were put by are looked at again, or the browser throws them away. */
  wakeTabs(areLost: boolean): void {
    for (const { actor } of this.#asleep.splice(0)) {
      actor.frozenUntil = 0;
      if (areLost) this.#kill(actor);
    }
  }

  /** Some other tab cannot open the copy, and sets it aside. It does not wait for it. */
  removeCopy(): void {
    const remove = this.disk.hostFor(this.anActor('tab')).remove;
    remove({ name: this.rowsName, durability: 'relaxed', versions: [] }).catch(() => undefined);
  }

  killAll(): void {
    this.killPage();
    this.wakeTabs(true);
    for (const worker of this.workers) this.killWorker(worker);
  }

  /** Everything that should run runs again, where it is this person who is signed in. */
  revive(): void {
    if (!this.isSignedIn) return;
    if (!this.page) this.openPage();
    if (this.workers.length === 0) this.startWorker();
  }

  /** The app is started anew as another build. */
  update(build: string): void {
    this.killAll();
    this.build = build;
    this.revive();
  }

  closePage(): void {
    if (this.page?.replica) closeReplica(this.page.replica);
    this.killPage();
  }

  /** Somebody on this browser who does something of this person's. */
  anActor(kind: string): Actor {
    this.#made += 1;
    return { name: `${this.name}.${kind}${this.#made}`, isDead: false, frozenUntil: 0 };
  }

  #kill(actor: Actor): void {
    actor.isDead = true;
    this.disk.forgetDead();
    this.browser.locks.take((holder) => holder === actor);
  }
}
