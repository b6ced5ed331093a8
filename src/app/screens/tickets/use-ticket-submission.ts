import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { v7 as uuid } from 'uuid';
import type { SubmitTicketInput } from '#contract/tickets.ts';
import { discardMany } from '#replica/decisions.ts';
import { standingsOf } from '#replica/receipts.ts';
import { useServices } from '#app/services.tsx';
import { useEnqueueAll } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';
import type { Screenshot } from './screenshot.ts';
import { ticketEdits } from './ticket-edits.ts';
import { type TicketProgress, ticketProgress } from './ticket-progress.ts';

export interface TicketSubmission {
  /** Null before the first submission. */
  progress: TicketProgress | null;
  /** Keeps the ticket and its screenshot on this device; they are sent when there is a network. */
  submit: (ticket: SubmitTicketInput, screenshot: Screenshot | null) => Promise<void>;
}

/** Submits a ticket through the outbox and tells what becomes of it. What the server refuses is said in a toast. */
export function useTicketSubmission(): TicketSubmission {
  const { clock, notices } = useServices();
  const { outbox } = useReplica();
  const enqueueAll = useEnqueueAll();
  const [edits, setEdits] = useState<readonly string[]>([]);
  const standings = useLiveQuery(() => standingsOf(outbox, edits), [outbox, edits]);
  // until the first look at a new submission is over the one before it is not told of it
  const progress = edits.length > 0 && standings?.length === edits.length ? ticketProgress(standings) : null;
  const refused = [progress?.ticket, progress?.attachment].filter((one) => one?.step === 'refused');
  const reason = refused[0]?.reason;
  useEffect(() => {
    if (reason !== undefined) notices.toast('error', reason);
  }, [reason, notices]);
  const submit = async (ticket: SubmitTicketInput, screenshot: Screenshot | null): Promise<void> => {
    const made = ticketEdits(ticket, screenshot, { newId: uuid, now: clock() });
    await enqueueAll(made);
    // what the server refused is in the new submission, corrected
    const stale = standings?.flatMap(({ waiting }) => (waiting ? [waiting.seq] : [])) ?? [];
    if (stale.length > 0) await discardMany(outbox, stale, clock());
    setEdits(made.map(({ id }) => id));
  };
  return { progress, submit };
}
