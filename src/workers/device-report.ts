import type { ApiCall } from '#api-client/call.ts';
import { type LostEdits, reportDevice } from '#contract/devices.ts';
import { ApiError } from '#contract/errors.ts';

/** How often a device is heard of at least while it works, in milliseconds. */
const everyMs = 3_600_000;
/** For how long a server that would not hear it is not told again, in milliseconds. */
const againMs = 60_000;

interface DeviceReportPorts {
  call: ApiCall;
  now: () => number;
  deviceId: () => Promise<string>;
  /** Whether the person was told of what was lost. */
  knowsLoss: () => Promise<boolean>;
  /** Whether the server remembers. */
  isHeard: () => boolean;
  onLost: (lost: LostEdits | null) => void;
}

/** Tells the server how many edits wait here, so that it can say what went should the browser clear them. */
export class DeviceReport {
  readonly #ports: DeviceReportPorts;
  #told: { pending: number; at: number } | null = null;
  #failedAt = -Infinity;
  #isLossOpen = false;
  /** How many are to be told; null while none is being told. */
  #telling: number | null = null;

  constructor(ports: DeviceReportPorts) {
    this.#ports = ports;
  }

  /** Tells it where that is news, also where it changes meanwhile. Never fails, and nothing waits for it. */
  async tell(pending: number): Promise<void> {
    const isTelling = this.#telling !== null;
    this.#telling = pending;
    if (isTelling) return;
    let told: number;
    do {
      told = this.#telling;
      await this.#tellOnce(told);
    } while (this.#telling !== told);
    this.#telling = null;
  }

  async #tellOnce(pending: number): Promise<void> {
    const { call, now, deviceId, knowsLoss, isHeard, onLost } = this.#ports;
    const at = now();
    if (!isHeard() || Math.abs(at - this.#failedAt) < againMs) return;
    try {
      const knows_loss = this.#isLossOpen && (await knowsLoss());
      const isNews = this.#told?.pending !== pending || Math.abs(at - this.#told.at) >= everyMs;
      if (!isNews && !knows_loss) return;
      const { lost } = await call(reportDevice, { device_id: await deviceId(), pending, knows_loss });
      this.#told = { pending, at };
      if (lost !== null || this.#isLossOpen) onLost(lost);
      this.#isLossOpen = lost !== null;
    } catch (error) {
      // where no answer came the next round is the one that finds the server again
      if (!(error instanceof ApiError && error.status === 0)) this.#failedAt = at;
    }
  }
}
