import { v7 as uuid } from 'uuid';
import { countWords } from '#domain/count-words.ts';
import { fileTypes } from '#domain/file-names.ts';
import { asCallback, type ExportEnd, type ExportRequest, type RemoteEngine } from '#workers/start.ts';
import type { FileSink } from './file-sink.ts';
import type { NoticeStore } from './notice-store.ts';
import { textOfError } from './notices.tsx';
import { createListeners } from './listeners.ts';

/** A file that is being made: rows done, of all rows; before the first answer of none. */
export interface RunningExport {
  name: string;
  done: number;
  all: number;
}

/** Files made of lists, one at a time, whatever screen is open meanwhile. */
export interface ExportStore {
  /** Null while none is made. */
  snapshot: () => RunningExport | null;
  subscribe: (onChange: () => void) => () => void;
  /** To be called while a click is handled: the browser asks where to save. Resolves when the file is whole, or given up. */
  start: (request: ExportRequest, name: string) => Promise<void>;
  cancel: () => void;
}

interface ExportPorts {
  engine: Pick<RemoteEngine, 'exportRows' | 'cancelExport'>;
  notices: Pick<NoticeStore, 'notice'>;
  openSink: (target: { name: string; type: string }) => Promise<FileSink | null>;
}

function rowsText(rows: number): string {
  return countWords(rows, 'row');
}

function doneText({ rows, pending }: Extract<ExportEnd, { kind: 'done' }>, name: string): string {
  const edits =
    pending === 0
      ? ''
      : ` ${pending.toLocaleString('en-US')} of them ${pending === 1 ? 'shows' : 'show'} an edit the server has not confirmed yet.`;
  return `${rowsText(rows)} exported to ${name}.${edits}`;
}

export function createExportStore({ engine, notices, openSink }: ExportPorts): ExportStore {
  const listeners = createListeners();
  let running: (RunningExport & { id: string; isCancelled: boolean }) | null = null;
  const set = (next: typeof running): void => {
    running = next;
    listeners.tell();
  };

  const isCancelled = (): boolean => running?.isCancelled === true;

  const write = async (id: string, sink: FileSink, request: ExportRequest): Promise<ExportEnd> => {
    const end = await engine.exportRows(
      id,
      request,
      asCallback(async ({ bytes, done, all }) => {
        if (bytes.length > 0) await sink.write(bytes);
        if (running?.id === id) set({ ...running, done, all });
      }),
    );
    if (isCancelled()) return { kind: 'cancelled' };
    if (end.kind === 'done') await sink.close();
    return end;
  };

  const run = async (id: string, sink: FileSink, request: ExportRequest, name: string): Promise<void> => {
    try {
      const end = await write(id, sink, request);
      if (end.kind === 'done') {
        notices.notice('success', doneText(end, name));
        const saidWithin = request.format === 'xlsx' ? ['The sheet About of the file says so, too.'] : [];
        if (end.notes.length > 0) notices.notice('warning', [...end.notes, ...saidWithin].join(' '));
      } else await sink.abort();
      if (end.kind === 'cancelled') notices.notice('info', 'The export was cancelled. No file was kept.');
      if (end.kind === 'failed') notices.notice('error', `The export stopped: ${end.reason} No file was kept, and nothing was changed.`);
    } catch (error) {
      await sink.abort();
      notices.notice('error', `The file could not be written: ${textOfError(error)}. No file was kept, and nothing was changed.`);
    }
  };

  return {
    snapshot: () => running,
    subscribe: listeners.subscribe,
    start: async (request, name) => {
      if (running) return;
      const id = uuid();
      set({ id, name, done: 0, all: 0, isCancelled: false });
      try {
        const sink = await openSink({ name, type: fileTypes[request.format] });
        if (sink && isCancelled()) await sink.abort();
        else if (sink) await run(id, sink, request, name);
      } catch (error) {
        notices.notice('error', `The file could not be opened: ${textOfError(error)}. Nothing was changed.`);
      } finally {
        set(null);
      }
    },
    cancel: () => {
      if (!running) return;
      running.isCancelled = true;
      engine.cancelExport(running.id).catch(() => undefined);
    },
  };
}
