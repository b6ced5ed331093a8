import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useRef } from 'react';
import type { MutationName } from '#contract/mutations.ts';
import type { MutationState } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { newestReceipt } from '#replica/receipts.ts';
import { useServices } from './services.tsx';
import { useOutbox } from './outbox-edits.tsx';
import { useReplica } from './use-replica.ts';

interface SettledTexts {
  /** Null where it goes without saying. */
  accepted: string | null;
  refused: string;
}

const viewTexts: SettledTexts = { accepted: null, refused: 'A saved view was refused by the server. Open Views to see why and to decide.' };

/** What to say once an edit is settled. @source specification section 8 */
const texts: Record<MutationName, SettledTexts> = {
  markTransfer: { accepted: 'Match transfer successfully updated', refused: 'Error updating the match transfer' },
  saveView: viewTexts,
  deleteView: viewTexts,
  createOrganization: {
    accepted: 'Organization successfully created',
    refused: 'A new organization was refused by the server. Open Outbox to see why.',
  },
  updateOrganization: {
    accepted: 'Organization successfully updated',
    refused: 'A change of an organization was refused by the server. Open Outbox to see why.',
  },
  deleteOrganization: {
    accepted: 'Organization successfully deleted',
    refused: 'The server refused to delete an organization. Open Outbox to see why.',
  },
  createClient: { accepted: 'Client successfully created', refused: 'A new client was refused by the server. Open Outbox to see why.' },
  updateClient: {
    accepted: 'Client successfully updated',
    refused: 'A change of a client was refused by the server. Open Outbox to see why.',
  },
  createEntity: { accepted: 'Entity successfully created', refused: 'A new entity was refused by the server. Open Outbox to see why.' },
  archiveAsset: { accepted: null, refused: 'An asset could not be archived. Open Outbox to see why.' },
  unarchiveAsset: { accepted: null, refused: 'An asset could not be unarchived. Open Outbox to see why.' },
  updateEntity: {
    accepted: 'Entity successfully updated',
    refused: 'A change of an entity was refused by the server. Open Outbox to see why.',
  },
  updateUser: { accepted: 'User successfully updated', refused: 'A change of a user was refused by the server. Open Outbox to see why.' },
  setUserRole: { accepted: 'Role successfully changed', refused: 'A change of a role was refused by the server. Open Outbox to see why.' },
  assignUser: {
    accepted: 'Assignments successfully changed',
    refused: 'A change of assignments was refused by the server. Open Outbox to see why.',
  },
  submitTicket: { accepted: 'Ticket successfully submitted', refused: 'A ticket was refused by the server. Open Outbox to see why.' },
  attachToTicket: {
    accepted: 'Attachment successfully added to ticket',
    refused: 'The screenshot of a ticket was refused by the server. Open Outbox to see why.',
  },
  deleteEntity: { accepted: 'Entity successfully deleted', refused: 'The server refused to delete an entity. Open Outbox to see why.' },
};

/** What to say once an edit stops for something else than a refusal. */
const stopTexts: Partial<Record<MutationState, string>> = {
  conflict: 'Somebody else changed what you edited. Open Outbox to choose what holds; nothing was written over.',
  paused_update: 'This version of the app is too old for the server. Reload to get the new one; your edits are kept.',
};

function isRefused({ state }: OutboxRow): boolean {
  return state === 'refused' || state === 'paused_permission';
}

/** An edit of a newer build, or a receipt of an older one, says nothing of itself. */
function textsOf(name: MutationName | undefined): SettledTexts | undefined {
  return name !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Says when the server accepted or refused an edit that was still waiting when last looked at. */
export function useSettledNotices(): void {
  const { notices } = useServices();
  const { outbox } = useReplica();
  const edits = useOutbox();
  const newest = useLiveQuery(() => newestReceipt(outbox), [outbox]);
  const accepted = newest?.outcome === 'accepted' ? newest.i : undefined;
  const acceptedText = textsOf(newest?.name)?.accepted ?? null;
  const waiting = useRef(new Set<string>());
  const receiptId = newest?.id;
  useEffect(() => {
    // of many that come to the same it is said once
    const told = new Map<string, 'error' | 'warning'>();
    for (const edit of edits ?? []) {
      const isStopped = Object.hasOwn(stopTexts, edit.state);
      // what is waiting now is what may be told of later, be it that others made after it stand already
      if (!isRefused(edit) && !isStopped) waiting.current.add(edit.id);
      else if (waiting.current.delete(edit.id)) {
        const text = isRefused(edit) ? textsOf(edit.name)?.refused : stopTexts[edit.state];
        if (text !== undefined) told.set(text, isRefused(edit) ? 'error' : 'warning');
      }
    }
    for (const [text, tone] of told) notices.notice(tone, text);
  }, [edits, notices]);
  // after the edits are looked at: what became of one may be known in the same moment as that it waited
  useEffect(() => {
    if (accepted === undefined || receiptId === undefined || !waiting.current.has(receiptId)) return;
    if (acceptedText !== null) notices.notice('success', acceptedText);
  }, [accepted, acceptedText, receiptId, notices]);
}
