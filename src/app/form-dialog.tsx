import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { refusalBeside, type WaitingWords } from '#app/waiting-form.ts';
import { WaitingNote } from '#app/waiting-note.tsx';

interface FormDialogProps {
  title: string;
  /** The words of the button that submits; where left out the title's, or that what waits is saved. */
  submitWords?: string;
  look?: 'primary' | 'danger';
  width?: 'normal' | 'wide';
  /** Of the edit that the form changes, where that one waits. */
  waiting?: WaitingWords | undefined;
  /** Names of the fields that tell their own errors. */
  fields?: readonly string[];
  /** Not yet ready to be submitted. */
  isDisabled?: boolean;
  /** Where it throws, what went wrong is said and the dialog stays. */
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog that is one form: one submission at a time, and what was typed stays until it succeeded or was left. */
export function FormDialog({
  title,
  waiting,
  submitWords = waiting ? 'Save' : title,
  look = 'primary',
  width = 'normal',
  fields = [],
  isDisabled = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const [problem, setProblem] = useState(refusalBeside(waiting, fields));
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(event);
    } catch (error) {
      setProblem(textOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      width={width}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={look} type="submit" form={form} disabled={isDisabled || isBusy}>
            {submitWords}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3 py-2">
        <WaitingNote words={waiting} />
        {children}
        <FormProblem text={problem} />
      </form>
    </Dialog>
  );
}
