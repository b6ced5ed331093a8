/** Which set of columns: a noun and, within it, a client (or a price source). */
export interface SetKey {
  noun: string;
  set: string;
}

/** What of a set cannot be read: its columns can be made anew from its rows, its rows only be pulled again. */
export type DamagedPart = 'columns' | 'rows';

/** Stored columns or rows that cannot be read. */
export class DamagedSetError extends Error {
  readonly key: SetKey;
  readonly part: DamagedPart;

  constructor(key: SetKey, part: DamagedPart, reason: string) {
    super(`The local ${key.noun.replaceAll('_', ' ')} of ${key.set} are damaged: ${reason}`);
    this.name = 'DamagedSetError';
    this.key = key;
    this.part = part;
  }
}

/** A set that was closed meanwhile, to be mended: what was read for it is pulled again into the new one. */
export class ClosedSetError extends Error {
  constructor() {
    super('The local rows are being mended');
    this.name = 'ClosedSetError';
  }
}
