/** Runs work once after a time in milliseconds, and gives what takes it back. A test hands in its own. */
export interface Timers {
  after(ms: number, work: () => void): () => void;
}

/** The machine's timers; none of them keeps the process alive. */
export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
