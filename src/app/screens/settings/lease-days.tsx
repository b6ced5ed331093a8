import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { countWords } from '#domain/count-words.ts';
import { useServices } from '#app/services.tsx';
import { leaseDaysSchema, leaseLimits } from '#app/session/lease.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useLeaseDays } from './use-lease-days.ts';

const schema = z.object({ days: leaseDaysSchema });

/** For how long this device opens without the server. Chosen here alone: the server is not asked. */
export function LeaseDays() {
  const { notices } = useServices();
  const { days, choose } = useLeaseDays();
  const form = useForm({ resolver: zodResolver(schema), values: { days: String(days) } });
  const submit = form.handleSubmit((chosen) => {
    choose(chosen.days);
    notices.notice('success', `This device opens for ${countWords(chosen.days, 'day')} without the server`);
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <div className="flex items-start gap-2">
        <div className="max-w-[220px] min-w-0 grow">
          <TextField
            label="Days without the server"
            inputMode="numeric"
            autoComplete="off"
            error={form.formState.errors.days?.message}
            {...form.register('days')}
          />
        </div>
        {/* beside the input, below its label */}
        <Button type="submit" className="mt-[23px]">
          Set days
        </Button>
      </div>
      <p className="text-grid text-muted">
        From {leaseLimits.least} to {leaseLimits.most}, counted from when the server last said who you are. After that Tieout locks, also
        while it is open, until you sign in again: somebody who may no longer see these records can see them on a lost or borrowed device
        for as long as this. Your edits stay. It holds for you in this browser.
      </p>
    </form>
  );
}
