import { isTimeZone, timeZones } from '#domain/dates.ts';
import { isAllowed } from '#domain/permissions.ts';
import { priceSources } from '#domain/price-sources.ts';
import { useServices, useUser } from '#app/services.tsx';
import { ShortcutList } from '#app/shell/shortcut-list.tsx';
import { SelectField } from '#app/ui/field.tsx';
import { PageHead } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { AboutSection } from './about-section.tsx';
import { ClientsHere } from './clients-here.tsx';
import { NumbersSection } from './numbers-section.tsx';
import { OfflineSecretChoice } from './offline-secret.tsx';
import { OrganizationLinks } from './organization-links.tsx';
import { Section } from './section.tsx';
import { SignIns } from './sign-ins.tsx';
import { StorageSection } from './storage-section.tsx';
import { useStorageState } from './use-storage-state.ts';

/** `UTC+05:30` for an offset in milliseconds. */
function offsetWords(ms: number): string {
  if (ms === 0) return 'UTC';
  const minutes = Math.abs(ms) / 60_000;
  return `UTC${ms < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function AppearanceSection() {
  const { preferences } = useServices();
  const { theme, density } = usePreferences();
  return (
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
  );
}

function PricesSection() {
  const { preferences } = useServices();
  const { priceSource } = usePreferences();
  // a source that was chosen elsewhere stays to be seen
  const offered = priceSources.some(({ id }) => id === priceSource.id) ? priceSources : [...priceSources, priceSource];
  return (
    <Section title="Prices">
      <SelectField
        label="Price source"
        value={priceSource.id}
        onChange={(event) => {
          const chosen = offered.find(({ id }) => id === event.target.value);
          if (chosen) preferences.set({ priceSource: chosen });
        }}
        options={offered.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Section>
  );
}

function ZoneSection() {
  const { preferences } = useServices();
  const { zone } = usePreferences();
  return (
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
  );
}

/** What a person sets for this browser, what is on this device, and what the app is. */
export function SettingsScreen() {
  const storage = useStorageState();
  const user = useUser();
  return (
    <>
      <PageHead title="Settings" />
      <div className="page-inset pb-10">
        <AppearanceSection />
        <NumbersSection />
        <ZoneSection />
        <PricesSection />
        {isAllowed(user, { anyOf: ['organization_read'] }) ? (
          <Section title="Organization settings">
            <OrganizationLinks />
          </Section>
        ) : null}
        <StorageSection {...storage} />
        <Section title="Clients on this device">
          <ClientsHere usedBytes={storage.state?.usedBytes ?? null} />
        </Section>
        <Section title="Without the network">
          <OfflineSecretChoice />
        </Section>
        <Section title="Sign-ins">
          <SignIns />
        </Section>
        <Section title="Keyboard" isWide>
          <ShortcutList level="h3" />
        </Section>
        <AboutSection />
      </div>
    </>
  );
}
