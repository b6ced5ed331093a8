import { expect } from 'vitest';
import type { Dictionaries } from '#columns/dictionaries.ts';
import type { Sealed } from '#columns/rewriting.ts';
import type { Schema } from '#columns/schema.ts';
import { type Segment, splitSegment, type StoredText, verifySegment } from '#columns/segments.ts';
import { createTable, type Table } from '#columns/table.ts';

/** What a store would hold: the hot tier and each text column of each partition apart, cloned as IndexedDB does. */
export class Store {
  readonly hot = new Map<number, Segment>();
  readonly texts = new Map<number, [string, StoredText][]>();
  /** How many rows were written in all. */
  written = 0;
  dictionaries: Dictionaries = {};

  /** Seals a table, with its text loaded first, and keeps what the seal wrote. */
  seal(table: Table): Sealed {
    for (const partition of table.textNeededToSeal()) this.load(table, partition);
    return this.keep(table.seal());
  }

  /** Compacts a table until nothing is worth it. */
  compact(table: Table, thorough = false): void {
    for (;;) {
      for (const partition of table.textNeededToCompact(thorough)) this.load(table, partition);
      const compaction = table.beginCompaction(thorough);
      if (!compaction) return;
      this.keep(compaction.finish());
    }
  }

  /** Keeps what a seal or a compaction wrote. */
  keep(result: Sealed): Sealed {
    const sealed = structuredClone(result);
    for (const partition of sealed.dropped) {
      expect(this.hot.delete(partition)).toBe(true);
      this.texts.delete(partition);
    }
    for (const segment of sealed.written) {
      expect(this.hot.has(segment.partition)).toBe(false);
      expect(verifySegment(segment)).toBe(true);
      const { hot, texts } = splitSegment(segment);
      this.hot.set(segment.partition, hot);
      this.texts.set(segment.partition, texts);
      this.written += segment.rows;
    }
    this.dictionaries = sealed.dictionaries;
    return sealed;
  }

  load(table: Table, partition: number): void {
    for (const [name, text] of this.texts.get(partition) ?? []) table.loadText(partition, name, structuredClone(text));
  }

  /** A new table on what is stored, without any text, the segments in any order. */
  open(schema: Schema, maxRows?: number): Table {
    return createTable(schema, structuredClone({ segments: [...this.hot.values()], dictionaries: this.dictionaries }), maxRows);
  }
}
