import type { OutboxRow } from '#replica/outbox-tables.ts';

interface FileContent {
  edits: readonly OutboxRow[];
  /** UTC milliseconds. */
  now: number;
  version: string;
  /** Where the edits are to be sent. */
  apiBaseUrl: string;
  email: string;
}

/** Every edit that waits as a file for support: a header that says what it is, then the edits as they are kept. */
export function outboxFile({ edits, now, version, apiBaseUrl, email }: FileContent): { name: string; text: string } {
  const made = new Date(now).toISOString();
  const file = {
    about: 'Edits made in Tieout that have not reached the server, in the order they were made. For support; nothing reads it back.',
    made_at: made,
    app_version: version,
    server: apiBaseUrl,
    user: email,
    count: edits.length,
    edits,
  };
  return { name: `tieout-outbox-${made.slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}.json`, text: JSON.stringify(file, null, 2) };
}
