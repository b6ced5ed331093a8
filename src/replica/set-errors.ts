/** Which set of columns: a noun and, within it, a client (or a price source). */
export interface SetKey {
  noun: string;
  set: string;
}

/** Stored columns or rows that cannot be read. The server still has them: drop the set and pull it again. */
export class DamagedSetError extends Error {
  readonly key: SetKey;

  constructor(key: SetKey, reason: string) {
    super(`The local ${key.noun.replaceAll('_', ' ')} of ${key.set} are damaged: ${reason}`);
    this.name = 'DamagedSetError';
    this.key = key;
  }
}

/** A set that was dropped meanwhile: what was read for it is pulled again into the new one. */
export class DroppedSetError extends Error {
  constructor() {
    super('The local rows are being fetched anew');
    this.name = 'DroppedSetError';
  }
}
