import { enqueue } from '#replica/outbox.ts';
import { ModelServer } from './model-server.ts';
import { type Random, randomOf } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { SimDevice } from './sim-device.ts';
import type { ServerMood } from './sim-server.ts';

/** Worlds in which somebody else uses a browser, too. */
const share = 0.3;

interface GuestPorts {
  scheduler: Scheduler;
  mood: ServerMood;
}

/** Somebody of another office who signs in on a browser of the person now and then: neither may ever meet anything of the other. */
export class Guest {
  readonly device: SimDevice;
  /** What they may see: another server, as far as the person is concerned. */
  readonly server: ModelServer;
  readonly edits = new Set<string>();
  readonly #host: SimDevice;
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(seed: number, host: SimDevice, { scheduler, mood }: GuestPorts) {
    this.#host = host;
    this.#scheduler = scheduler;
    this.#random = randomOf(`guest ${seed}`);
    this.server = new ModelServer(this.#random, () => scheduler.now, mood, 'guest');
    this.device = new SimDevice('G', scheduler, this.server, host.browser);
  }

  /** Whoever is signed in signs out, and the other one in. */
  switchUser(by: number): void {
    const { browser } = this.device;
    const [from, to] = browser.signedIn === this.device.userId ? [this.device, this.#host] : [this.#host, this.device];
    const enter = (): void => {
      browser.signedIn = to.userId;
      browser.session = 'good';
      browser.isLeaving = false;
      for (const worker of to.workers) void to.openEngine(worker);
      to.revive();
    };
    if (browser.isLeaving) {
      // they close the window that hangs
      from.killAll();
      enter();
      return;
    }
    // a worker of another build may not hear of it: then only a server of ours can tell
    const isUnheard = this.server.hasFeed && by < 0.5;
    if (isUnheard) {
      enter();
      return;
    }
    browser.isLeaving = true;
    Promise.all(from.workers.map(({ engine }) => engine.close(from.userId))).then(
      // unless the window was closed meanwhile
      () => browser.isLeaving && enter(),
      () => undefined,
    );
  }

  /** They save a view, where it is them who are signed in. */
  edit(by: number): void {
    const replica = this.device.page?.replica;
    if (!replica || !this.device.isSignedIn) return;
    const id = this.#random.uuid();
    this.edits.add(id);
    const input = { id: this.#random.uuid(), name: `Guest's ${by}`, list: 'transactions', search: `q=${by}` } as const;
    const edit = { id, name: 'saveView', input, title: 'saveView', now: this.#scheduler.now, clientId: null, entityId: null } as const;
    enqueue(replica.outbox, edit).catch(() => undefined);
  }

  /** They leave for good, and the person is signed in again. */
  leave(): void {
    this.device.killAll();
    if (this.#host.isSignedIn) return;
    this.#host.browser.isLeaving = false;
    this.#host.browser.signedIn = this.#host.userId;
    this.#host.browser.session = 'good';
    for (const worker of this.#host.workers) void this.#host.openEngine(worker);
  }
}

/** In some worlds there is a guest. */
export function aGuest(seed: number, host: SimDevice, ports: GuestPorts): Guest | null {
  return randomOf(`share ${seed}`).chance(share) ? new Guest(seed, host, ports) : null;
}
