import { cpus } from 'node:os';
import { join } from 'node:path';
import { buildPage, downloadSizes, type EngineName, engineNames } from './bundles.ts';
import { proveComparison } from './check.ts';
import { type Figures, gateRows } from './gates.ts';
import { machineLine, pieceOfWorkMs } from './machine.ts';
import { type Exam, type Measured, measure, measureEdits, type Place, WrongAnswerError } from './measure.ts';
import { enginesAt, type Options } from './options.ts';
import {
  areKept,
  checkedLines,
  editLines,
  figuresTable,
  gatesTable,
  judgeAll,
  type Judged,
  legend,
  ratiosTable,
  turnLines,
} from './report.ts';
import { serveFolder } from './static-server.ts';
import { Ledger } from './workload/ledger.ts';
import { answersOf } from './workload/oracle.ts';
import { questionNames, questionsOf } from './workload/questions.ts';

/** Questions of each kind. */
const questionCount = 30;

/** Everything that was measured, as `--json` writes it. */
export interface Run {
  readonly measured: readonly Measured[];
  readonly downloadBytes: Readonly<Record<string, number>>;
  readonly gates: readonly { readonly measure: string; readonly ratio: number | null; readonly verdict: string }[];
}

/**
 * Runs the benchmark and prints it. It has passed when every answer was right and no gate was missed at a million rows, nor, where all
 * engines were asked for, left unmeasured.
 */
export async function runBench(options: Options, folder: string): Promise<{ isPassed: boolean; figures: Run }> {
  const pages = join(folder, 'page');
  await buildPage(options.engines, pages);
  const sizes = await downloadSizes();
  const { server, url } = await serveFolder(pages, 0);
  const place: Place = { url, folder };
  console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.version}, seed ${options.seed}\n${legend}`);
  const smallEdits = options.engines.includes('columns') ? await measureEdits(examOf(options, 1000), place) : null;
  const all: Measured[] = [];
  let judged: Judged[] = [];
  const isFull = engineNames.every((name) => options.engines.includes(name));
  let isPassed = true;
  try {
    for (const rows of options.rows) {
      const measured = await measureAll(options, rows, place);
      all.push(...measured);
      const figures: Figures = { engines: new Map<EngineName, Measured>(measured.map((each) => [each.engine, each])), smallEdits };
      judged = judgeAll(figures);
      print(rows, measured, figures, sizes, judged);
      if (rows === gateRows && !areKept(judged, isFull)) isPassed = false;
    }
  } catch (error) {
    if (!(error instanceof WrongAnswerError)) throw error;
    console.error(`\nWRONG ANSWER\n${error.message}`);
    isPassed = false;
  } finally {
    server.close();
  }
  const said = judged.map(({ gate, ratio, verdict }) => ({ measure: gate.measure, ratio, verdict }));
  return { isPassed, figures: { measured: all, downloadBytes: Object.fromEntries(sizes), gates: said } };
}

/** The questions for a number of rows, with the oracle's answers. */
function examOf({ seed, isSabotaged }: Options, rows: number): Exam {
  const ledger = new Ledger(seed, rows);
  const questions = questionsOf(seed, ledger, questionCount);
  const answers = answersOf(
    ledger,
    questionNames.flatMap((name) => questions[name]),
  );
  const of = (kind: number) => answers.slice(kind * questionCount, (kind + 1) * questionCount);
  return { seed, rows, questions, answers: { q1: of(0), q1w: of(1), q2: of(2), q3: of(3), q4: of(4) }, isSabotaged };
}

async function measureAll(options: Options, rows: number, place: Place): Promise<Measured[]> {
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`;
  const exam = examOf(options, rows);
  const planted = proveComparison(questionNames.flatMap((name) => exam.answers[name]));
  const page = new Ledger(options.seed, rows).page(0);
  const bytes = JSON.stringify(page).length / page.length;
  console.log(
    `\n${rows.toLocaleString('en')} rows of ${Math.round(bytes)} bytes JSON; the comparison finds all of ${planted} planted faults`,
  );
  const measured: Measured[] = [];
  const around = new Map<string, number>();
  for (const engine of enginesAt(rows, options.engines)) {
    process.stderr.write(`  ${seconds()}: ${engine} ...\n`);
    const before = pieceOfWorkMs();
    measured.push(await measure(engine, exam, place));
    around.set(engine, Math.max(before, pieceOfWorkMs()));
  }
  process.stderr.write(`  ${seconds()}: done\n`);
  console.log(`\n${machineLine(around)}`);
  return measured;
}

function print(
  rows: number,
  measured: readonly Measured[],
  figures: Figures,
  sizes: ReadonlyMap<string, number>,
  judged: readonly Judged[],
): void {
  const judgedAt = rows === gateRows ? '' : ` (judged at ${gateRows.toLocaleString('en')} rows alone)`;
  const parts = [
    checkedLines(measured, questionCount),
    figuresTable(measured, sizes),
    ratiosTable(measured),
    editLines(figures),
    turnLines(figures),
    `Gates${judgedAt}\n${gatesTable(judged, rows)}`,
  ];
  for (const part of parts) if (part !== null) console.log(`\n${part}`);
}
