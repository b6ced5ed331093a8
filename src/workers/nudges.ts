import { followNudges, nudgeLimits } from '#contract/feed.ts';

/** A stream that was silent for so long is taken for dead: it beats more often than that. In milliseconds. */
const silenceMs = 3 * nudgeLimits.heartbeatMs;
/** A stream that was silent for so long may be dead: it is not relied on. In milliseconds. */
const lateMs = 1.5 * nudgeLimits.heartbeatMs;
/** How long to wait before a stream that ended is opened again, in milliseconds. */
const reopenMs = 30_000;
/** When a stream ends the server is asked within this, at random: it may be starting anew, and all devices ask. In milliseconds. */
const askWithinMs = 3_000;

export interface NudgePorts {
  fetch: typeof fetch;
  now: () => number;
  random: () => number;
  pause: (ms: number) => Promise<void>;
  /** Absolute address of the API. */
  apiBaseUrl: string;
  /** Something may have changed, or nobody tells any more. */
  onNudge: () => void;
}

/** Keeps a stream of nudges open at a server that has one. They only say when to ask: without them it is asked by the clock. */
export class Nudges {
  readonly #ports: NudgePorts;
  #open: AbortController | null = null;
  #isListening = false;
  #heardAt = 0;
  #openedAt = -Infinity;

  constructor(ports: NudgePorts) {
    this.#ports = ports;
  }

  /** Whether it is told when something changes. */
  get isListening(): boolean {
    return this.#isListening && Math.abs(this.#ports.now() - this.#heardAt) < lateMs;
  }

  /** Opens the stream where none is open, or the one that is has died. To be called every now and then. */
  ensure(): void {
    const now = this.#ports.now();
    if (this.#open && Math.abs(now - this.#heardAt) > silenceMs) this.close();
    if (this.#open || Math.abs(now - this.#openedAt) < reopenMs) return;
    const opened = new AbortController();
    this.#open = opened;
    this.#openedAt = now;
    this.#heardAt = now;
    void this.#read(opened.signal).finally(() => {
      if (this.#open !== opened) return;
      const wasListening = this.#isListening;
      this.close();
      const { pause, random, onNudge } = this.#ports;
      // the network went, or the server: whoever asks knows
      if (wasListening) void pause(Math.round(random() * askWithinMs)).then(onNudge);
    });
  }

  close(): void {
    this.#open?.abort();
    this.#open = null;
    this.#isListening = false;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { fetch, apiBaseUrl, onNudge, now } = this.#ports;
    try {
      const answer = await fetch(`${apiBaseUrl}${followNudges.path}`, {
        credentials: 'include',
        headers: { accept: 'text/event-stream' },
        signal,
      });
      const body = answer.ok && answer.headers.get('content-type')?.startsWith('text/event-stream') ? answer.body : null;
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        if (signal.aborted) break;
        this.#heardAt = now();
        this.#isListening = true;
        // all but the beat is news: that the server listens now, and every nudge. Whatever is cut in two is heard with its other half
        if (/\w/.test(part.value)) onNudge();
      }
    } catch {
      // the network, or closed from here: it is opened again when its time comes
    }
  }
}
