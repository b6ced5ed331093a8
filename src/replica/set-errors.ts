/** Stored columns or rows that cannot be read. The server still has them: drop the set and pull it again. */
export class DamagedSetError extends Error {
  readonly clientId: string;

  constructor(clientId: string, reason: string) {
    super(`The local transactions of client ${clientId} are damaged: ${reason}`);
    this.name = 'DamagedSetError';
    this.clientId = clientId;
  }
}

/** A set that was dropped meanwhile: what was read for it is pulled again into the new one. */
export class DroppedSetError extends Error {
  constructor() {
    super('The local transactions are being fetched anew');
    this.name = 'DroppedSetError';
  }
}
