import type { OutboxRow } from '#replica/outbox-tables.ts';

/** A file that an edit is sent with, as it goes into a text. */
export interface AttachedFile {
  edit_id: string;
  name: string;
  /** Its media type. */
  type: string;
  base64: string;
}

interface FileContent {
  edits: readonly OutboxRow[];
  files: readonly AttachedFile[];
  /** UTC milliseconds. */
  now: number;
  version: string;
  /** Where the edits are to be sent. */
  apiBaseUrl: string;
  email: string;
}

/** Every edit that waits as a file for support: a header that says what it is, then the edits as they are kept, then what is attached to them. */
export function outboxFile({ edits, files, now, version, apiBaseUrl, email }: FileContent): { name: string; text: string } {
  const made = new Date(now).toISOString();
  const file = {
    about: 'Edits made in Tieout that have not reached the server, in the order they were made. For support; nothing reads it back.',
    made_at: made,
    app_version: version,
    server: apiBaseUrl,
    user: email,
    count: edits.length,
    edits,
    files,
  };
  return { name: `tieout-outbox-${made.slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}.json`, text: JSON.stringify(file, null, 2) };
}

/** Bytes that are put into a text at once: a call takes no more, and thirds of them come out even. */
const atOnce = 3 * 8_192;

/** A file as it goes into a text. */
export async function attached(edit: Pick<OutboxRow, 'id'>, { name, content }: { name: string; content: Blob }): Promise<AttachedFile> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += atOnce) parts.push(btoa(String.fromCharCode(...bytes.subarray(from, from + atOnce))));
  return { edit_id: edit.id, name, type: content.type, base64: parts.join('') };
}
