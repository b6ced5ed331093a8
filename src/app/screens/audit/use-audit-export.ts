import { useRef, useState } from 'react';
import { auditFileName } from '#domain/audit-file.ts';
import type { AuditNames } from '#domain/audit-words.ts';
import { countWords } from '#domain/count-words.ts';
import { fileTypes } from '#domain/file-names.ts';
import { openSink } from '#app/file-sink.ts';
import { textOfError } from '#app/notices.tsx';
import { saveFile } from '#app/save-file.ts';
import { useServices } from '#app/services.tsx';
import { writeAuditFile } from './audit-export.ts';
import { type AuditSearch, auditQuery } from './audit-search.ts';

export interface AuditExportState {
  /** Entries written so far; null while no file is made. */
  done: number | null;
  /** To be called while a click is handled: the browser asks where to save. */
  start: () => Promise<void>;
  cancel: () => void;
}

/** Saves all entries of the filter as a file. */
export function useAuditExport(search: AuditSearch, names: AuditNames): AuditExportState {
  const { call, notices } = useServices();
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  const name = auditFileName(search);
  const start = async (): Promise<void> => {
    if (stop.current) return;
    const controller = new AbortController();
    const { signal } = controller;
    stop.current = controller;
    try {
      const sink = await openSink({ name, type: fileTypes.csv }, saveFile);
      if (!sink) return;
      setDone(0);
      try {
        const count = await writeAuditFile({ call, query: auditQuery(search, names.zone), names, sink, signal, onProgress: setDone });
        await sink.close();
        notices.notice('success', `${countWords(count, 'change')} exported to ${name}.`);
      } catch (error) {
        await sink.abort();
        throw error;
      }
    } catch (error) {
      if (signal.aborted) notices.notice('info', 'The export was cancelled. No file was kept.');
      else notices.notice('error', `No file was kept, and nothing was changed: ${textOfError(error)}`);
    } finally {
      stop.current = null;
      setDone(null);
    }
  };
  return { done, start, cancel: () => stop.current?.abort() };
}
