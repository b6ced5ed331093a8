import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { AuditEntry } from '#contract/audit.ts';
import type { ApiCall } from '#api-client/call.ts';
import { writeAuditFile } from '#app/screens/audit/audit-export.ts';
import { anAuditEntry } from '#tests/support/audit-entry.ts';

const names = { zone: 'UTC', nameOf: () => undefined } as const;

/** A server of so many entries, the newest first, that hands out pages as it likes. */
function aTrail(entries: readonly AuditEntry[], mostPerPage: number) {
  const asked: unknown[] = [];
  const call = async (_endpoint: unknown, input: { before?: string; limit: number }) => {
    asked.push(input);
    const older = entries.filter(({ id }) => input.before === undefined || Number(id) < Number(input.before));
    return older.slice(0, Math.min(input.limit, mostPerPage));
  };
  return { asked, call: call as unknown as ApiCall };
}

async function exported(entries: readonly AuditEntry[], mostPerPage: number) {
  const { asked, call } = aTrail(entries, mostPerPage);
  const parts: Uint8Array[] = [];
  const progress: number[] = [];
  const count = await writeAuditFile({
    call,
    query: { noun: 'entities' },
    names,
    sink: { write: async (bytes) => void parts.push(bytes) },
    signal: new AbortController().signal,
    onProgress: (done) => progress.push(done),
  });
  const text = Buffer.concat(parts).toString();
  return { count, asked, progress, text, rows: parse(text, { bom: true }) as string[][] };
}

test('[AU29] the file has every entry of the filter, however the server pages, and no formula', async () => {
  const entries = Array.from({ length: 25 }, (_, index) =>
    anAuditEntry({ id: String(25 - index), after: { city: index === 3 ? '=1+1' : 'Oslo' } }),
  );
  const { count, asked, progress, rows, text } = await exported(entries, 10);
  expect(count).toBe(25);
  expect(rows.slice(1).map((row) => row.at(-1))).toEqual(entries.map(({ id }) => id));
  expect(asked).toMatchObject([{ noun: 'entities', before: undefined }, { before: '16' }, { before: '6' }, { before: '1' }]);
  expect(progress).toEqual([10, 20, 25, 25]);
  const hostile = await exported([anAuditEntry({ user_email: '=cmd()', title: null, entity_name: '@x' })], 10);
  expect(hostile.rows[1]?.filter((cell) => /^[=@+-]/.test(cell))).toEqual([]);
  expect(text.startsWith('\ufeffWhen (UTC),')).toBe(true);
  expect((await exported([], 10)).rows).toHaveLength(1);
});
