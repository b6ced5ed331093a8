import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MergeRule } from '#contract/mutations.ts';
import { type Fields, isSameValue, mergeRows, type Sides } from '#replica/merge.ts';

const names = ['a', 'b', 'c', 'd'];
const value = fc.constantFrom('x', 'y', 'z', null);
const row: fc.Arbitrary<Fields> = fc.record({ a: value, b: value, c: value, d: value });
const none = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });
const sides: fc.Arbitrary<Sides> = fc.record({ base: none(row), mine: none(row), theirs: none(row) });
/** Some fields merge, the others ask. */
const rule = fc.subarray(names).map((merges) => ({ merges, asks: names.filter((name) => !merges.includes(name)) }));
const changed = (from: Fields | null, to: Fields): string[] => names.filter((name) => !isSameValue(from?.[name], to[name]));
const every = { numRuns: 1_000 };
const freely: MergeRule = { merges: names, asks: [] };

/** The row once everything that is no conflict is merged; null where there is one. */
function merged(all: Sides, by = freely): Fields | null | undefined {
  const result = mergeRows(all, by);
  if (result.kind === 'conflict') return undefined;
  if (result.kind === 'merged') return result.fields;
  return result.kind === 'met' ? all.theirs : all.mine;
}

describe('two changes of one row', () => {
  test('[CF8] nothing of ours is lost but to the same change or to the person: what we changed is in what is merged, or is asked about', () => {
    fc.assert(
      fc.property(sides, rule, (all, by) => {
        const result = mergeRows(all, by);
        if (!all.mine || result.kind === 'conflict') return;
        const after = merged(all, by);
        expect(after).not.toBeNull();
        for (const name of changed(all.base, all.mine)) expect(after?.[name] ?? null).toEqual(all.mine[name]);
      }),
      every,
    );
  });

  test('[CF8] nothing of theirs is written over but by the person: what only they changed is in what is merged', () => {
    fc.assert(
      fc.property(sides, rule, (all, by) => {
        if (!all.theirs || mergeRows(all, by).kind === 'conflict') return;
        const after = merged(all, by);
        for (const name of changed(all.base, all.theirs)) expect(after?.[name] ?? null).toEqual(all.theirs[name]);
      }),
      every,
    );
  });

  test('[CF8] a field that asks is never merged: whatever they changed of it is for the person', () => {
    fc.assert(
      fc.property(row, row, row, rule, (base, mine, theirs, by) => {
        const result = mergeRows({ base, mine, theirs }, by);
        const asked = changed(base, theirs).filter((name) => by.asks.includes(name));
        if (asked.length === 0) return;
        expect(result.kind).toBe('conflict');
        if (result.kind === 'conflict') expect(result.fields).toEqual(expect.arrayContaining(asked));
      }),
      every,
    );
  });

  test('[CF9] changes of different fields give the same row whichever comes first', () => {
    fc.assert(
      fc.property(row, row, row, fc.subarray(names), (base, one, other, ours) => {
        const mine = Object.fromEntries(names.map((name) => [name, (ours.includes(name) ? one : base)[name]]));
        const theirs = Object.fromEntries(names.map((name) => [name, (ours.includes(name) ? base : other)[name]]));
        const there = merged({ base, mine, theirs });
        expect(there).toBeDefined();
        expect(there).toEqual(merged({ base, mine: theirs, theirs: mine }));
      }),
      every,
    );
  });

  test('[CF9] what was merged merges again into itself, and on what it was merged with nothing is left to do', () => {
    fc.assert(
      fc.property(sides, rule, (all, by) => {
        const result = mergeRows(all, by);
        if (result.kind !== 'merged') return;
        expect(mergeRows({ base: all.theirs, mine: result.fields, theirs: all.theirs }, by)).toEqual({ kind: 'unchanged' });
        expect(merged({ ...all, mine: result.fields })).toEqual(result.fields);
        expect(mergeRows({ base: all.theirs, mine: result.fields, theirs: result.fields }, freely).kind).toMatch(/met|unchanged/);
      }),
      every,
    );
  });

  test('[CF10] a row that one side removed, and one that both made otherwise, is for the person; the same on both sides is done', () => {
    const [was, is] = [
      { a: 'x', b: 'x' },
      { a: 'y', b: 'x' },
    ];
    const by = { merges: ['a', 'b'], asks: [] };
    expect(mergeRows({ base: was, mine: is, theirs: null }, by)).toEqual({ kind: 'conflict', fields: ['a', 'b'] });
    expect(mergeRows({ base: was, mine: null, theirs: is }, by)).toEqual({ kind: 'conflict', fields: ['a'] });
    expect(mergeRows({ base: was, mine: null, theirs: was }, by)).toEqual({ kind: 'unchanged' });
    expect(mergeRows({ base: was, mine: null, theirs: null }, by)).toEqual({ kind: 'met' });
    expect(mergeRows({ base: null, mine: is, theirs: was }, by)).toEqual({ kind: 'conflict', fields: ['a'] });
    expect(mergeRows({ base: null, mine: is, theirs: is }, by)).toEqual({ kind: 'met' });
    expect(mergeRows({ base: null, mine: is, theirs: null }, by)).toEqual({ kind: 'unchanged' });
    expect(mergeRows({ base: was, mine: is, theirs: is }, by)).toEqual({ kind: 'met' });
  });
});
