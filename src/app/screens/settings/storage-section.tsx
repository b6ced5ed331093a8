import { formatDate } from '#domain/dates.ts';
import { byteText } from '#domain/byte-text.ts';
import { budgetChoices, shareOfQuota } from '#replica/budget.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/field.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { Section } from './section.tsx';
import { useBudget } from './use-budget.ts';
import { useLosses } from './use-losses.ts';
import type { StorageState } from './use-storage-state.ts';

/** How much the copies on this device may take. */
function BudgetField() {
  const { budget, choose } = useBudget();
  if (budget === null) return null;
  const offered = [...new Set([...budgetChoices, budget])].sort((a, b) => a - b);
  return (
    <>
      <SelectField
        label="At most on this device"
        value={String(budget)}
        onChange={(event) => choose(Number(event.target.value))}
        options={offered.map((bytes) => ({ value: String(bytes), label: byteText(bytes) }))}
      />
      <p className="text-grid text-muted">
        And never more than {shareOfQuota * 100} % of what the browser allows. Where it would be more, the clients go that nobody looked at
        for longest: their transactions come back when you open them. Edits that wait stay in any case.
      </p>
    </>
  );
}

/** How often something of the copy was not what was written, which the app mends by itself; nothing where it never was. */
function Damage() {
  const losses = useLosses();
  const { zone } = usePreferences();
  if (!losses) return null;
  const { count, lastAt, lastReason } = losses;
  return (
    <p className="figures text-grid break-words text-muted">
      Parts of the copy in this browser were found damaged and read again {count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`},{' '}
      {count === 1 ? 'on' : 'last on'} {formatDate(lastAt, zone)} {zone}: <bdi>{lastReason}</bdi>
    </p>
  );
}

/** How much is on this device, and whether the browser promised to keep it. */
export function StorageSection({ state, ask }: { state: StorageState | null; ask: () => Promise<boolean> }) {
  const { notices } = useServices();
  const request = async (): Promise<void> => {
    if (await ask()) notices.notice('success', 'This browser keeps the records until you sign out');
    else notices.notice('warning', 'The browser did not promise it. Installing the app usually helps.');
  };
  return (
    <Section title="Storage on this device">
      <p className="figures">
        {state ? `${byteText(state.usedBytes)} used of ${byteText(state.quotaBytes)} this browser allows` : 'Looking'}
      </p>
      <p className="text-grid text-muted">
        {state?.isPersisted
          ? 'The browser promised to keep the records: it does not clear them by itself when it runs short of room.'
          : 'The browser may clear the records when it runs short of room. They come back from the server; edits that wait would be lost.'}
      </p>
      {state && !state.isPersisted ? (
        <div>
          <Button onClick={() => void request()}>Keep on this device</Button>
        </div>
      ) : null}
      <BudgetField />
      <Damage />
    </Section>
  );
}
