import { formatUsd } from '#domain/amounts.ts';
import { type NumberStyle, numberChoices } from '#domain/number-style.ts';
import { shownQuantity } from '#domain/transaction-words.ts';
import { useServices } from '#app/services.tsx';
import { SelectField } from '#app/ui/field.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { Section } from './section.tsx';

const labels = {
  negatives: 'Amounts below zero',
  grouping: 'Between thousands',
  decimals: 'Decimals',
} as const satisfies Record<keyof NumberStyle, string>;

/** An amount of money and one of a digital asset, to see what a style does. */
const examples = { usd: '-1234567.8915', quantity: '-12345.123456789012' };

/** How amounts are written on the screen. */
export function NumbersSection() {
  const { preferences } = useServices();
  const { numbers } = usePreferences();
  const choose = (part: keyof NumberStyle, choice: string): void => preferences.set({ numbers: { ...numbers, [part]: choice } });
  return (
    <Section title="Numbers">
      {(Object.keys(labels) as (keyof NumberStyle)[]).map((part) => (
        <SelectField
          key={part}
          label={labels[part]}
          value={numbers[part]}
          onChange={(event) => choose(part, event.target.value)}
          options={Object.entries(numberChoices[part]).map(([value, label]) => ({ value, label }))}
        />
      ))}
      <p className="figures">
        <span className="text-muted">So: </span>
        <output aria-label="Example">
          {formatUsd(examples.usd, numbers)} USD, {shownQuantity(examples.quantity, undefined, numbers)} BTC
        </output>
      </p>
      <p className="text-grid text-muted">
        This is how amounts show. What is copied or exported keeps every digit, a plain minus sign and no separators.
      </p>
    </Section>
  );
}
