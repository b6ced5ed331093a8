import { type AuditEntry, auditPage, listAuditEntries } from '#contract/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { auditCells, auditHeads } from '#domain/audit-file.ts';
import type { AuditNames } from '#domain/audit-words.ts';
import { byteOrderMark, csvLine } from '#domain/csv.ts';
import type { ApiCall } from '#api-client/call.ts';
import type { FileSink } from '#app/file-sink.ts';

interface AuditExport {
  call: ApiCall;
  query: InputOf<typeof listAuditEntries>;
  names: AuditNames;
  sink: Pick<FileSink, 'write'>;
  signal: AbortSignal;
  /** Told after each page, with the entries written so far. */
  onProgress: (done: number) => void;
}

const lineOf = (texts: readonly string[]): string => csvLine(texts.map((text) => ({ text, isNumber: false })));

/**
 * Writes every entry of a filter as CSV, page by page to the end, whatever the screen has loaded.
 * @returns how many entries there were.
 */
export async function writeAuditFile({ call, query, names, sink, signal, onProgress }: AuditExport): Promise<number> {
  const encoder = new TextEncoder();
  const write = (text: string): Promise<void> => sink.write(encoder.encode(text));
  await write(byteOrderMark + lineOf(auditHeads(names.zone)));
  let done = 0;
  let page: AuditEntry[];
  let before: string | undefined;
  do {
    page = await call(listAuditEntries, { ...query, before, limit: auditPage.max }, { signal });
    await write(page.map((entry) => lineOf(auditCells(entry, names))).join(''));
    before = page.at(-1)?.id;
    done += page.length;
    onProgress(done);
  } while (page.length > 0);
  return done;
}
