import type { ReactNode } from 'react';
import { isTimeZone, timeZones } from '#domain/dates.ts';
import { isAllowed } from '#domain/permissions.ts';
import { budgetChoices, shareOfQuota } from '#replica/budget.ts';
import { useServices, useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/field.tsx';
import { PageHead } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { OrganizationLinks } from './organization-links.tsx';
import { ClientsHere } from './clients-here.tsx';
import { byteText } from '#domain/byte-text.ts';
import { SignIns } from './sign-ins.tsx';
import { useBudget } from './use-budget.ts';
import { type StorageState, useStorageState } from './use-storage-state.ts';

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line py-6 md:grid-cols-[200px_1fr]">
      <h2 className="font-semibold">{title}</h2>
      <div className="flex max-w-[560px] min-w-0 flex-col gap-3">{children}</div>
    </section>
  );
}

/** `UTC+05:30` for an offset in milliseconds. */
function offsetWords(ms: number): string {
  if (ms === 0) return 'UTC';
  const minutes = Math.abs(ms) / 60_000;
  return `UTC${ms < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

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

function StorageSection({ state, ask }: { state: StorageState | null; ask: () => Promise<boolean> }) {
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
    </Section>
  );
}

export function SettingsScreen() {
  const { preferences, version, apiBaseUrl } = useServices();
  const { theme, zone, density } = usePreferences();
  const storage = useStorageState();
  const user = useUser();
  return (
    <>
      <PageHead title="Settings" />
      <div className="page-inset pb-10">
        <Section title="Appearance">
          <SelectField
            label="Theme"
            value={theme}
            onChange={(event) => preferences.set({ theme: event.target.value === 'dark' ? 'dark' : 'light' })}
            options={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <SelectField
            label="Rows of lists"
            value={density}
            onChange={(event) => preferences.set({ density: event.target.value === 'comfortable' ? 'comfortable' : 'compact' })}
            options={[
              { value: 'compact', label: 'Compact, 32 pixels' },
              { value: 'comfortable', label: 'Comfortable, 40 pixels' },
            ]}
          />
        </Section>
        <Section title="Dates and times">
          <SelectField
            label="Time zone"
            value={zone}
            onChange={(event) => {
              if (isTimeZone(event.target.value)) preferences.set({ zone: event.target.value });
            }}
            options={Object.entries(timeZones).map(([name, offset]) => ({
              value: name,
              label: name === 'UTC' ? 'UTC' : `${name} (${offsetWords(offset)})`,
            }))}
          />
          <p className="text-grid text-muted">
            Days and months are counted in this zone. Each is a fixed offset: no daylight saving rule is applied.
          </p>
        </Section>
        {isAllowed(user, { anyOf: ['organization_read'] }) ? (
          <Section title="Organization settings">
            <OrganizationLinks />
          </Section>
        ) : null}
        <StorageSection {...storage} />
        <Section title="Clients on this device">
          <ClientsHere usedBytes={storage.state?.usedBytes ?? null} />
        </Section>
        <Section title="Sign-ins">
          <SignIns />
        </Section>
        <Section title="About">
          <dl className="grid grid-cols-[120px_1fr] gap-y-1 text-grid">
            <dt className="text-muted">Web build</dt>
            <dd className="figures">{version.slice(0, 7)}</dd>
            <dt className="text-muted">Server</dt>
            <dd className="break-all">{apiBaseUrl}</dd>
          </dl>
        </Section>
      </div>
    </>
  );
}
