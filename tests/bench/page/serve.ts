import type { EditableEngine, Engine } from '../engines/engine.ts';
import { Ledger } from '../workload/ledger.ts';
import type { Answer } from '../workload/oracle.ts';
import type { Question } from '../workload/questions.ts';
import type { LedgerOrder, OrderName, Orders } from './orders.ts';

/** The least time of a sample, in milliseconds: the clock of an isolated page counts in steps of 5 us. */
const sampleMs = 5;
/** Time spent asking before the first sample, so that everything is compiled. */
const warmUpMs = 250;

type Work = { [Name in OrderName]: (order: Orders[Name]['order']) => Promise<Orders[Name]['answer']> };

/** Carries out the page's orders on an engine, in this worker. */
export function serve<Keys>(engine: Engine<Keys>): void {
  const work = workOf(engine as Engine);
  globalThis.onmessage = ({ data: { number, name, order } }: MessageEvent<{ number: number; name: OrderName; order: never }>) => {
    work[name](order).then(
      (answer) => globalThis.postMessage({ number, answer }),
      (error: unknown) =>
        globalThis.postMessage({ number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  };
}

function workOf(engine: Engine): Work {
  return {
    fill: (order) => fill(engine, order),
    turns: (order) =>
      (engine as EditableEngine).turnsDuring(async () => {
        await fill(engine, order);
      }),
    open: async ({ counted }) => {
      await engine.open();
      const { rows, count } = await engine.newest(counted);
      return { rows: rows.length, count };
    },
    prepare: async () => {
      await engine.prepareQuestions?.();
      return null;
    },
    answer: async ({ questions, withinMs, atLeast }) => {
      const answers: Answer[] = [];
      const times: number[] = [];
      const start = performance.now();
      for (const question of questions) {
        if (answers.length >= atLeast && performance.now() - start > withinMs) break;
        const began = performance.now();
        const found = question.name === 'q4' ? { sums: await engine.sum(question) } : await engine.find(question);
        times.push(performance.now() - began);
        answers.push(
          'sums' in found ? { kind: 'sums', ...found } : { kind: 'rows', count: found.count, rows: await engine.rowsOf(found.keys) },
        );
      }
      return { answers, times };
    },
    time: (order) => timesOf(engine, order),
    fetch: async ({ questions, withinMs }) => {
      const times: number[] = [];
      const start = performance.now();
      for (const question of questions) {
        if (question.name === 'q4' || performance.now() - start > withinMs) continue;
        const { keys } = await engine.find(question);
        const began = performance.now();
        await engine.rowsOf(keys);
        times.push(performance.now() - began);
      }
      return times;
    },
    edit: ({ questions, samples }) => timeEdits(engine as EditableEngine, questions, samples),
    wasm: async () => engine.wasmBytes?.() ?? 0,
  };
}

async function fill(engine: Engine, { seed, rows }: LedgerOrder): Promise<Orders['fill']['answer']> {
  await engine.open();
  const ledger = new Ledger(seed, rows);
  let addMs = 0;
  for (let number = 0; number < ledger.pages; number++) {
    const page = asReceived(ledger.page(number));
    const began = performance.now();
    await engine.add(page);
    addMs += performance.now() - began;
  }
  const began = performance.now();
  await engine.finishAdding?.();
  return { addMs, finishMs: performance.now() - began };
}

/** Rows as `JSON.parse` makes them of an answer: flat strings of their own, shared with no other row. */
function asReceived<T>(rows: readonly T[]): T[] {
  return JSON.parse(JSON.stringify(rows)) as T[];
}

function ask(engine: Engine, question: Question): unknown {
  return question.name === 'q4' ? engine.sum(question) : engine.find(question);
}

async function timesOf(engine: Engine, { questions, samples, withinMs, atLeast }: Orders['time']['order']): Promise<number[]> {
  let at = 0;
  const next = () => questions[at++ % questions.length] as Question;
  const warm = performance.now();
  do {
    const answer = ask(engine, next());
    if (answer instanceof Promise) await answer;
  } while (performance.now() - warm < warmUpMs);
  at = 0;
  const times: number[] = [];
  const start = performance.now();
  while (times.length < samples && (times.length < atLeast || performance.now() - start < withinMs)) {
    let asked = 0;
    const began = performance.now();
    let now = began;
    do {
      const answer = ask(engine, next());
      // an await would cost an engine that answers at once a turn of the loop
      if (answer instanceof Promise) await answer;
      asked++;
      now = performance.now();
    } while (now - began < sampleMs);
    times.push((now - began) / asked);
  }
  return times;
}

/** The edited row is one of the window that the standing question shows; the window's rows are read again. */
async function timeEdits(engine: EditableEngine, questions: readonly Question[], samples: number): Promise<Orders['edit']['answer']> {
  const standing = questions.filter((question) => question.name !== 'q4');
  const times = { edit: [] as number[], again: [] as number[] };
  for (let sample = 0; sample < samples; sample++) {
    const question = standing[sample % standing.length];
    if (!question) break;
    const { keys } = await engine.find(question);
    const shown = await engine.rowsOf(keys);
    const row = shown[Math.floor(shown.length / 2)];
    if (!row) continue;
    const began = performance.now();
    await engine.edit(row.id, sample);
    const edited = performance.now();
    const again = await engine.rowsOf((await engine.again(keys)).keys);
    const seen = performance.now();
    const state = again.find(({ id }) => id === row.id)?.match_state;
    if (state !== (sample % 2 === 0 ? 'APPROVED' : 'REJECTED')) throw new Error(`The edit does not show: ${state}`);
    await engine.edit(null, 0);
    times.edit.push(edited - began);
    times.again.push(seen - edited);
  }
  return times;
}
