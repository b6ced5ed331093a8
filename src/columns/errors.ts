/** Text that a query or a seal needs is not in memory: load it with `table.loadText` first. */
export class TextNotLoadedError extends Error {
  readonly partitions: readonly number[];

  constructor(partitions: readonly number[]) {
    super(`The text of partition ${partitions.join(', ')} is not loaded`);
    this.name = 'TextNotLoadedError';
    this.partitions = partitions;
  }
}

/** A selection was used after the table was sealed: select again. */
export class StaleSelectionError extends Error {
  constructor() {
    super('The table was sealed after this selection was made: select again');
    this.name = 'StaleSelectionError';
  }
}
