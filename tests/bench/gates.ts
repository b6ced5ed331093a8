import type { EngineName } from './bundles.ts';
import type { Measured } from './measure.ts';
import type { Orders } from './page/orders.ts';
import { median } from './statistics.ts';
import type { QuestionName } from './workload/questions.ts';

/** What is measured: every engine at one number of rows, and the edits on a thousand rows. */
export interface Figures {
  readonly engines: ReadonlyMap<EngineName, Measured>;
  readonly smallEdits: Orders['edit']['answer'] | null;
}

type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** A promise of the design, as a number that one run can measure, most often a ratio. */
export interface Gate {
  readonly measure: string;
  readonly bound: Bound;
  /** Null where a run cannot tell: an engine was left out. */
  readonly ratio: (figures: Figures) => number | null;
}

/** A promise about the app on the screen. */
export interface UiGate {
  readonly measure: string;
  readonly bound: { readonly atMost: number };
}

export type Verdict = 'met' | 'MISSED' | 'not measured';

/** The number of rows at which the gates are judged. */
export const gateRows = 1_000_000;

/** The gates in the order of the design. */
export const gates: readonly Gate[] = [
  atLeast(5, 'q1 against sqlite', timesSlower('q1', 'sqlite')),
  atLeast(100, 'q1 against duckdb', timesSlower('q1', 'duckdb')),
  atLeast(1500, 'q1 against Dexie', timesSlower('q1', 'dexie')),
  atLeast(60, 'q1w against sqlite', timesSlower('q1w', 'sqlite')),
  atLeast(2, 'q2 against sqlite', timesSlower('q2', 'sqlite')),
  atLeast(4, 'q3 against the faster of arquero and objects (12 once the kernel is WebAssembly)', timesSlower('q3', 'arquero', 'objects')),
  atLeast(5, 'q4 against duckdb', timesSlower('q4', 'duckdb')),
  atLeast(
    15,
    'durable writing of pages against Dexie bulkPut with two indexes',
    comparing((measured) => measured.fillMs, ['dexie']),
  ),
  atLeast(3, 'cold open to the first 50 rows against duckdb', comparing(coldOpenOf, ['duckdb'])),
  atLeast(3, 'cold open to the first 50 rows against Dexie', comparing(coldOpenOf, ['dexie'])),
  atLeast(0.9, 'cold open to the first 50 rows against sqlite', comparing(coldOpenOf, ['sqlite'])),
];

/** What `npm run bench:ui` alone measures and decides. */
export const uiGates = {
  keystroke: { measure: 'keystroke to painted rows and totals, p95, ms beyond the debounce', bound: { atMost: 16 } },
  fling: { measure: 'longest frame while flinging, ms', bound: { atMost: 32 } },
  edit: { measure: 'an edit among all rows against the same among 1,000', bound: { atMost: 1.2 } },
  latency: { measure: 'an edit after many of them against before', bound: { atMost: 1.2 } },
  memory: { measure: 'memory after many edits against before', bound: { atMost: 1.1 } },
} as const satisfies Record<string, UiGate>;

/** The largest of a list; of an empty one there is none. */
export function longest(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((most, value) => Math.max(most, value));
}

export function judge({ bound }: { readonly bound: Bound }, measured: number | null): Verdict {
  if (measured === null || !Number.isFinite(measured)) return 'not measured';
  return ('atLeast' in bound ? measured >= bound.atLeast : measured <= bound.atMost) ? 'met' : 'MISSED';
}

/** Time of an edit until the standing question's window is read again, sample by sample. */
export function wholeEdits({ edit, again }: Orders['edit']['answer']): number[] {
  return edit.map((ms, sample) => ms + (again[sample] as number));
}

function atLeast(ratio: number, measure: string, of: Gate['ratio']): Gate {
  return { measure, bound: { atLeast: ratio }, ratio: of };
}

function timesSlower(name: QuestionName, ...against: EngineName[]): Gate['ratio'] {
  return comparing((measured) => median(measured.questions[name].times), against);
}

/** How many times longer than ours the fastest of some engines takes. */
function comparing(timeOf: (measured: Measured) => number, against: readonly EngineName[]): Gate['ratio'] {
  return ({ engines }) => {
    const ours = engines.get('columns');
    const theirs = against.flatMap((name) => engines.get(name) ?? []);
    return ours && theirs.length === against.length ? Math.min(...theirs.map(timeOf)) / timeOf(ours) : null;
  };
}

function coldOpenOf({ coldOpen }: Measured): number {
  return median(coldOpen ?? []);
}
