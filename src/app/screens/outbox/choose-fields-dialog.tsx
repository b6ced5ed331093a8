import { useState } from 'react';
import { choosableFields, type ComparedField } from '#replica/conflicts.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { comparedLabel, comparedText, type ValueNames } from './compared-words.ts';
import { useAtEnd } from './use-edit-focus.ts';

type Side = 'mine' | 'theirs';
const sides: readonly { side: Side; word: string }[] = [
  { side: 'mine', word: 'Mine' },
  { side: 'theirs', word: 'Theirs' },
];

interface FieldChoiceProps {
  field: ComparedField;
  side: Side;
  names: ValueNames;
  onChoose: (side: Side) => void;
}

function FieldChoice({ field, side, names, onChoose }: FieldChoiceProps) {
  return (
    <fieldset className="mt-2 py-1">
      <legend className="text-grid font-medium">{comparedLabel(field.name)}</legend>
      {sides.map((one) => (
        <label key={one.side} className="flex cursor-pointer items-start gap-2 py-1 text-grid">
          <input
            type="radio"
            name={field.name}
            className="mt-0.5 size-4 shrink-0 accent-primary"
            checked={side === one.side}
            onChange={() => onChoose(one.side)}
          />
          <span className="w-12 shrink-0 text-muted">{one.word}</span>
          <bdi className="figures min-w-0 break-words">{comparedText(field.name, field[one.side], names)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

interface ChooseFieldsDialogProps {
  edit: OutboxRow;
  names: ValueNames;
  /** @param theirFields those of which theirs is taken. */
  onChosen: (theirFields: readonly string[]) => Promise<void>;
  onClose: () => void;
  onGone: () => void;
}

/** Asks for each field that both changed which side holds. */
export function ChooseFieldsDialog({ edit, names, onChosen, onClose, onGone }: ChooseFieldsDialogProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setIsBusy] = useState(false);
  useAtEnd(onGone);
  const choose = (name: string, side: Side): void => {
    const next = new Set(theirs);
    if (side === 'theirs') next.add(name);
    else next.delete(name);
    setTheirs(next);
  };
  const send = async (): Promise<void> => {
    setIsBusy(true);
    await onChosen([...theirs]);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Choose by field"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={isBusy} onClick={() => void send()}>
            Send what I chose
          </Button>
        </>
      }
    >
      <p className="text-grid text-muted">What only one of you changed is kept.</p>
      {choosableFields(edit).map((field) => (
        <FieldChoice
          key={field.name}
          field={field}
          side={theirs.has(field.name) ? 'theirs' : 'mine'}
          names={names}
          onChoose={(side) => choose(field.name, side)}
        />
      ))}
    </Dialog>
  );
}
