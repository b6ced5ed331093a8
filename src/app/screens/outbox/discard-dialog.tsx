import { useState } from 'react';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editCount, lossWords } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useAtEnd } from './use-edit-focus.ts';

/** Edits named before the rest is only counted. */
const named = 5;

interface DiscardDialogProps {
  edits: readonly OutboxRow[];
  onDiscard: () => Promise<void>;
  onClose: () => void;
  onGone: () => void;
}

/** Asks before edits are let go of, and says what is lost. */
export function DiscardDialog({ edits, onDiscard, onClose, onGone }: DiscardDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  useAtEnd(onGone);
  const letGo = async (): Promise<void> => {
    setIsBusy(true);
    await onDiscard();
    onClose();
  };
  const what = edits.length === 1 ? 'this edit' : editCount(edits.length);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Discard ${what}?`}
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void letGo()}>
            Discard {what}
          </Button>
        </>
      }
    >
      <ul className="list-disc pl-5 text-grid">
        {edits.slice(0, named).map((edit) => (
          <li key={edit.id} className="break-words">
            <bdi>{edit.title}</bdi>
          </li>
        ))}
        {edits.length > named ? <li>and {editCount(edits.length - named)} more</li> : null}
      </ul>
      {lossWords(edits).map((line) => (
        <p key={line} className="mt-2">
          {line}
        </p>
      ))}
    </Dialog>
  );
}
