import { zodResolver } from '@hookform/resolvers/zod';
import { type ClipboardEvent, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type TicketPriority, ticketFieldsSchema } from '#contract/tickets.ts';
import { DraftLine } from '#app/drafts/draft-line.tsx';
import { textOfError } from '#app/notices.tsx';
import { useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormProblem } from '#app/ui/form-problem.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { readScreenshot, type Screenshot } from './screenshot.ts';
import { ScreenshotField } from './screenshot-field.tsx';
import { TicketBanner } from './ticket-banner.tsx';
import { describedOn } from './ticket-edits.ts';
import { TicketFields } from './ticket-fields.tsx';
import { TicketHistory } from './ticket-history.tsx';
import { useTicketSubmission } from './use-ticket-submission.ts';

/** The screenshot one chose or pasted, and why another file is none. */
function useScreenshot() {
  const [screenshot, setScreenshot] = useState<Screenshot | null>(null);
  const [error, setError] = useState<string | null>(null);
  const choose = async (file: File): Promise<void> => {
    try {
      setScreenshot(await readScreenshot(file));
      setError(null);
    } catch (problem) {
      setError(textOfError(problem));
    }
  };
  return { screenshot, error, choose, remove: () => setScreenshot(null) };
}

/** Reports an issue to support: a form, then what became of it. @source specification sections 4, 5 and 9 */
export function TicketDialog({ pageUrl, onClose }: { pageUrl: string; onClose: () => void }) {
  const { email } = useUser();
  const { progress, submit } = useTicketSubmission();
  const { screenshot, error, choose, remove } = useScreenshot();
  const [problem, setProblem] = useState<string | null>(null);
  const formId = useId();
  const form = useForm({
    resolver: zodResolver(ticketFieldsSchema),
    // nothing is chosen before the person does
    defaultValues: { headline: '', description: '', priority: '' as TicketPriority, reporter: email },
  });
  const { register, handleSubmit, formState, getValues } = form;
  const draft = useDraft(form, { key: 'ticket:new', schema: ticketFieldsSchema });
  const { errors, isSubmitting } = formState;
  const { ticket, submitted = null } = progress ?? {};
  const isLocked = ticket?.step === 'waiting' || ticket?.step === 'accepted';
  const send = handleSubmit(async (fields) => {
    setProblem(null);
    try {
      await submit({ ...fields, description: describedOn(pageUrl, fields.description) }, screenshot);
      draft.end();
    } catch (failure) {
      setProblem(textOfError(failure));
    }
  });
  const close = (): void => {
    draft.end();
    onClose();
  };
  const paste = ({ clipboardData }: ClipboardEvent): void => {
    const [file] = clipboardData.files;
    if (file && !isLocked) void choose(file);
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      title="Report an issue"
      actions={
        isLocked ? (
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" form={formId} disabled={isSubmitting}>
              Submit
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3 py-2">
        <TicketBanner progress={progress} onLeave={onClose} />
        {isLocked ? null : <DraftLine draft={draft} />}
        <form id={formId} noValidate onSubmit={(event) => void send(event)} onPaste={paste}>
          <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-3">
            <TicketFields register={register} errors={errors} hint="The address of this page is sent with it." />
            <ScreenshotField
              screenshot={screenshot}
              error={error}
              onChoose={(file) => void choose(file)}
              onRemove={isLocked ? null : remove}
            />
          </fieldset>
        </form>
        <FormProblem text={problem ?? (ticket?.step === 'refused' ? ticket.reason : null)} />
        {submitted ? <TicketHistory reporter={getValues('reporter').trim()} onLeave={onClose} /> : null}
      </div>
    </Dialog>
  );
}
