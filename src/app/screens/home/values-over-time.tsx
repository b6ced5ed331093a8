import { useState } from 'react';
import type { DayValue } from '#contract/value-histories.ts';
import { formatUsd } from '#domain/amounts.ts';
import { writtenDay } from '#domain/dates.ts';
import { changePercent } from '#domain/portfolio-values.ts';
import { Button } from '#app/ui/button.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useValueChart } from './use-value-chart.ts';

/** What changed since the first day, in words: `12.3% up since 10/31/2025`. */
function changeWords(first: DayValue, last: DayValue): string {
  const percent = changePercent(first.value_usd, last.value_usd);
  if (percent === null) return `from nothing on ${writtenDay(first.day)}`;
  const word = percent.startsWith('-') ? 'down' : 'up';
  return `${percent.replace('-', '')}% ${word} since ${writtenDay(first.day)}`;
}

function ValueChart({ values, words }: { values: readonly DayValue[]; words: string }) {
  const place = useValueChart(values);
  return (
    <>
      <div ref={place} role="img" aria-label={`Value over time in US dollars: ${words}`} className="h-72 w-full" />
      <p className="pt-1 text-mini text-muted">
        USD, at the end of a day in UTC.{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-link underline">
          TradingView Lightweight Charts™, © TradingView, Inc.
        </a>
      </p>
    </>
  );
}

function ValueTable({ values }: { values: readonly DayValue[] }) {
  const { numbers } = usePreferences();
  return (
    <section tabIndex={0} aria-label="Values" className="h-72 overflow-y-auto rounded border border-line">
      <table aria-label="Value over time" className="w-full text-grid">
        <thead className="sticky top-0 bg-surface">
          <tr className="text-left text-small text-muted">
            <th className="px-3 py-1.5 font-medium">Day (UTC)</th>
            <th className="px-3 py-1.5 text-right font-medium">Value (USD)</th>
          </tr>
        </thead>
        <tbody>
          {values.toReversed().map(({ day, value_usd }) => (
            <tr key={day} className="border-t border-line">
              <td className="figures px-3 py-1">{writtenDay(day)}</td>
              <td className="figures px-3 py-1 text-right">{formatUsd(value_usd, numbers)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What it was all worth over time: a chart, and the same as a table. */
export function ValuesOverTime({ values }: { values: readonly DayValue[] }) {
  const { numbers } = usePreferences();
  const [isTable, setIsTable] = useState(false);
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) return null;
  const words = `${formatUsd(last.value_usd, numbers)} USD on ${writtenDay(last.day)}, ${changeWords(first, last)}`;
  return (
    <section aria-labelledby="values-over-time" className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pb-2">
        <div>
          <h2 id="values-over-time" className="font-semibold">
            Value over time
          </h2>
          <p className="figures text-small text-muted">{words}</p>
        </div>
        <Button size="small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {isTable ? <ValueTable values={values} /> : <ValueChart values={values} words={words} />}
    </section>
  );
}
