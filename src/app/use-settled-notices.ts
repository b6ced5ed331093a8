import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useRef } from 'react';
import { newestReceipt } from '#replica/outbox.ts';
import { useServices } from './services.tsx';
import { useOutbox, useReplica } from './use-replica.ts';

/** @source specification section 8 */
const texts = { accepted: 'Match transfer successfully updated', refused: 'Error updating the match transfer' } as const;

/** Says when the server accepted or refused an edit that was still waiting when last looked at. */
export function useSettledNotices(): void {
  const { notices } = useServices();
  const { outbox } = useReplica();
  const edits = useOutbox();
  const newest = useLiveQuery(() => newestReceipt(outbox), [outbox]);
  const accepted = newest?.outcome === 'accepted' ? newest.i : undefined;
  const refused = edits?.filter((edit) => edit.state === 'refused' || edit.state === 'paused_permission').at(-1)?.id;
  const waiting = useRef(new Set<string>());
  const receiptId = newest?.id;
  useEffect(() => {
    if (accepted !== undefined && receiptId !== undefined && waiting.current.has(receiptId)) notices.notice('success', texts.accepted);
  }, [accepted, receiptId, notices]);
  useEffect(() => {
    if (refused !== undefined && waiting.current.has(refused)) notices.notice('error', texts.refused);
  }, [refused, notices]);
  useEffect(() => {
    // what is waiting now is what may be told of later
    for (const edit of edits ?? []) if (edit.state !== 'refused' && edit.state !== 'paused_permission') waiting.current.add(edit.id);
  }, [edits]);
}
