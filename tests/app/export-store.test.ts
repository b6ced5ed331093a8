import { expect, test } from 'vitest';
import { createExportStore } from '#app/export-store.ts';
import type { FileSink } from '#app/file-sink.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import type { ExportEnd, ExportPart, ExportRequest } from '#workers/start.ts';

const request: ExportRequest = {
  query: { clientIds: ['c'], filter: noFilter, sort: [], zone: 'UTC' },
  format: 'csv',
  columns: ['date'],
};
const done: ExportEnd = { kind: 'done', rows: 1_200, pending: 0, notes: [] };
const part = (text: string, rows: number): ExportPart => ({ bytes: Uint8Array.from(Buffer.from(text)), done: rows, all: 1_200 });

/** A store whose worker does as told, and a disk that remembers what became of its file. */
function aStore(
  work: (give: (part: ExportPart) => Promise<void>, cancelled: Promise<void>) => Promise<ExportEnd>,
  disk: Partial<FileSink> = {},
) {
  const said: [string, string][] = [];
  const file = { text: '', state: 'open' as 'open' | 'closed' | 'aborted' };
  const asked: { name: string; type: string }[] = [];
  let onCancel: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const store = createExportStore({
    engine: {
      exportRows: ((_id: string, _request: ExportRequest, onPart: (part: ExportPart) => Promise<void>) => work(onPart, cancelled)) as never,
      cancelExport: (async () => onCancel()) as never,
    },
    notices: { notice: (tone, text) => void said.push([tone, text]) },
    openSink: async (target) => {
      asked.push(target);
      return {
        write: async (bytes) => {
          file.text += Buffer.from(bytes).toString();
        },
        close: async () => {
          file.state = 'closed';
        },
        abort: async () => {
          file.state = 'aborted';
        },
        ...disk,
      };
    },
  });
  return { store, said, file, asked };
}

test('[EX19] a file is closed once all of it is written, and the person hears what it holds', async () => {
  const seen: (number | undefined)[] = [];
  const { store, said, file, asked } = aStore(async (give) => {
    await give(part('a', 600));
    await give(part('b', 1_200));
    return { ...done, pending: 2, notes: ['Two numbers are text.'] };
  });
  store.subscribe(() => seen.push(store.snapshot()?.done));
  await store.start(request, 'x.csv');
  expect(asked).toEqual([{ name: 'x.csv', type: 'text/csv' }]);
  expect(file).toEqual({ text: 'ab', state: 'closed' });
  expect(seen).toEqual([0, 600, 1_200, undefined]);
  expect(said).toEqual([
    ['success', '1,200 rows exported to x.csv. 2 of them show an edit the server has not confirmed yet.'],
    ['warning', 'Two numbers are text.'],
  ]);
  const book = aStore(async () => ({ ...done, notes: ['Two numbers are text.'] }));
  await book.store.start({ ...request, format: 'xlsx' }, 'x.xlsx');
  expect(book.said[1]).toEqual(['warning', 'Two numbers are text. The sheet About of the file says so, too.']);
});

test('[EX19] a cancelled export leaves no file, whenever it was cancelled', async () => {
  const { store, said, file } = aStore(async (give, cancelled) => {
    await give(part('half', 600));
    store.cancel();
    await cancelled;
    return { kind: 'cancelled' };
  });
  await store.start(request, 'x.csv');
  expect(file.state).toBe('aborted');
  expect(said).toEqual([['info', 'The export was cancelled. No file was kept.']]);
  // too late to stop the worker, not too late to keep nothing
  const late = aStore(async () => {
    late.store.cancel();
    return done;
  });
  await late.store.start(request, 'x.csv');
  expect(late.file.state).toBe('aborted');
});

test('[EX19] what goes wrong is told in words, with nothing left behind', async () => {
  const failed = aStore(async () => ({ kind: 'failed', reason: 'Some rows could not be read.' }));
  await failed.store.start(request, 'x.csv');
  expect(failed.file.state).toBe('aborted');
  expect(failed.said).toEqual([['error', 'The export stopped: Some rows could not be read. No file was kept, and nothing was changed.']]);
  const full = aStore(
    async (give) => {
      await give(part('a', 1));
      return done;
    },
    {
      write: async () => {
        throw new Error('The disk is full');
      },
    },
  );
  await full.store.start(request, 'x.csv');
  expect(full.file.state).toBe('aborted');
  expect(full.said).toEqual([['error', 'The file could not be written: The disk is full. No file was kept, and nothing was changed.']]);
  expect(full.store.snapshot()).toBeNull();
});

test('[EX19] one file is made at a time', async () => {
  let finish: () => void = () => undefined;
  const { store, asked } = aStore(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return done;
  });
  const first = store.start(request, 'x.csv');
  await store.start(request, 'y.csv');
  finish();
  await first;
  expect(asked).toHaveLength(1);
});
