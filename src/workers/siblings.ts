import type { Channel, EnginePorts } from './ports.ts';
import type { EngineStatus } from './start.ts';

/** What a worker that does not write wants of the one that does. */
export type Wish = 'round' | 'send' | 'wake' | 'renewed';

/** Longest wait for a wish to be heard, in milliseconds: whoever writes may be of another build, or asleep. */
const hearingMs = 500;
/** Longest wait for one that was heard to be fulfilled, in milliseconds. */
const patienceMs = 30_000;

type Message =
  | { kind: 'status'; status: EngineStatus }
  | { kind: 'ask' }
  | { kind: 'wish'; wish: Wish; id: string }
  | { kind: 'heard' | 'done'; id: string };

/** A wish that is not fulfilled yet. */
interface Wanted {
  heard: AbortController;
  over: AbortController;
  isDone: boolean;
}

interface SiblingHooks {
  isWriter: () => boolean;
  status: () => EngineStatus;
  /** Told how the one that writes stands. */
  onStatus: (status: EngineStatus) => void;
  /** Does what another worker wants. */
  fulfil: (wish: Wish) => Promise<void>;
}

/**
 * The other workers of one person in this browser, where not all tabs share one: the one that writes tells how it stands and does what is
 * wanted in the others' tabs. Those of another build say nothing that is known here.
 */
export class Siblings {
  readonly #ports: Pick<EnginePorts, 'pause' | 'random'>;
  readonly #hooks: SiblingHooks;
  readonly #channel: Channel | null;
  readonly #wanted = new Map<string, Wanted>();

  constructor(ports: Pick<EnginePorts, 'build' | 'channel' | 'pause' | 'random'>, userId: string, hooks: SiblingHooks) {
    this.#ports = ports;
    this.#hooks = hooks;
    this.#channel = ports.channel?.(`tieout-siblings:${userId} ${ports.build}`, (message) => this.#heard(message as Message)) ?? null;
  }

  /** Asks how the one that writes stands. */
  ask(): void {
    this.#post({ kind: 'ask' });
  }

  /** Tells how this one stands, where it is the one that writes. */
  tell(status: EngineStatus): void {
    if (this.#hooks.isWriter()) this.#post({ kind: 'status', status });
  }

  /**
   * Asks the one that writes for something; resolves once it is done, or nobody said so for a while, or there is nobody to ask.
   * @returns whether it was done.
   */
  async wish(wish: Wish): Promise<boolean> {
    if (!this.#channel) return false;
    const id = String(this.#ports.random());
    const wanted: Wanted = { heard: new AbortController(), over: new AbortController(), isDone: false };
    const { heard, over } = wanted;
    this.#wanted.set(id, wanted);
    this.#post({ kind: 'wish', wish, id });
    await this.#ports.pause(hearingMs, heard.signal);
    if (heard.signal.aborted) await this.#ports.pause(patienceMs, over.signal);
    this.#wanted.delete(id);
    return wanted.isDone;
  }

  /** There is nobody to ask any more: this one writes now, or its work is over. */
  endWishes(): void {
    for (const { heard, over } of this.#wanted.values()) {
      heard.abort();
      over.abort();
    }
  }

  close(): void {
    this.#channel?.close();
    this.endWishes();
  }

  #post(message: Message): void {
    this.#channel?.post(message);
  }

  #heard(message: Message): void {
    const { isWriter, status, onStatus, fulfil } = this.#hooks;
    switch (message.kind) {
      case 'status':
        if (!isWriter()) onStatus(message.status);
        return;
      case 'ask':
        this.tell(status());
        return;
      case 'wish': {
        if (!isWriter()) return;
        const { wish, id } = message;
        this.#post({ kind: 'heard', id });
        void fulfil(wish)
          .catch(() => undefined)
          .then(() => this.#post({ kind: 'done', id }));
        return;
      }
      case 'heard':
        this.#wanted.get(message.id)?.heard.abort();
        return;
      case 'done': {
        const wanted = this.#wanted.get(message.id);
        if (!wanted) return;
        wanted.isDone = true;
        wanted.heard.abort();
        wanted.over.abort();
      }
    }
  }
}
