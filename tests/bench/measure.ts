import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './bundles.ts';
import { differenceBetween, spoiltAnswers } from './check.ts';
import type { Turns } from './engines/turns.ts';
import type { Orders } from './page/orders.ts';
import { Session } from './session.ts';
import { median } from './statistics.ts';
import type { Answer } from './workload/oracle.ts';
import { type Question, type QuestionName, questionNames } from './workload/questions.ts';

/** How many answers to a kind of question were compared, and how long they took. */
export interface Examined {
  readonly checked: number;
  readonly times: readonly number[];
}

/** Everything measured of one engine at one number of rows. Times are in milliseconds. */
export interface Measured {
  readonly engine: EngineName;
  readonly rows: number;
  readonly fillMs: number;
  /** From before the worker's start until the newest rows are there, without and with the number of all rows. Null: it stores nothing. */
  readonly coldOpen: readonly number[] | null;
  readonly coldOpenCounted: readonly number[] | null;
  readonly questions: Readonly<Record<QuestionName, Examined>>;
  readonly fetch: readonly number[];
  readonly edit: Orders['edit']['answer'] | null;
  /** The turns of sorting, in a filling of its own. Null: nothing is sorted in slices. */
  readonly turns: Turns | null;
  readonly scriptBytes: number;
  readonly wasmBytes: number;
}

/** What all engines are asked, and what they must answer. */
export interface Exam {
  readonly seed: number;
  readonly rows: number;
  readonly questions: Readonly<Record<QuestionName, readonly Question[]>>;
  readonly answers: Readonly<Record<QuestionName, readonly Answer[]>>;
  readonly isSabotaged: boolean;
}

export interface Place {
  readonly url: string;
  /** A folder for the browser's profiles. */
  readonly folder: string;
}

/** An engine that has not answered all questions of a kind within this time is asked no more: Dexie, which reads every row. */
const patienceMs = { answer: 12_000, time: 10_000, fetch: 10_000 };
const atLeast = 3;
/** Questions that take this long are timed while they are checked, and not asked again. */
const slowMs = 300;
const samples = 30;
/** An edit takes about a millisecond, and what else the browser does then is told apart only by many. */
const editSamples = 400;
const coldOpens = 5;
const countedColdOpens = 3;

const isStored: Readonly<Record<EngineName, boolean>> = {
  columns: true,
  sqlite: true,
  duckdb: true,
  dexie: true,
  arquero: false,
  objects: false,
};

export class WrongAnswerError extends Error {
  constructor(engine: EngineName, question: Question, difference: string) {
    super(`${engine} answers wrongly: ${difference}\nThe question: ${JSON.stringify(question)}`);
    this.name = 'WrongAnswerError';
  }
}

/** Fills an engine, opens it again in new browsers, checks its answers and times everything. Throws a WrongAnswerError. */
export async function measure(engine: EngineName, exam: Exam, place: Place): Promise<Measured> {
  const { url, folder } = place;
  const turns = engine === 'columns' ? await measureTurns(exam, place) : null;
  const profile = join(folder, `${engine}-${exam.rows}`);
  const file = `${engine}.js`;
  let session = await Session.open(url, profile);
  try {
    await session.start(file);
    const { addMs, finishMs } = await session.order('fill', { seed: exam.seed, rows: exam.rows });
    await session.order('prepare', {});
    const opened = { plain: [] as number[], counted: [] as number[] };
    const opens = isStored[engine] ? coldOpens + countedColdOpens : 0;
    for (let open = 0; open < opens; open++) {
      await session.close();
      session = await Session.open(url, profile);
      const isCounted = open < countedColdOpens;
      opened[isCounted ? 'counted' : 'plain'].push(await session.coldOpen(file, isCounted));
    }
    const questions = {} as Record<QuestionName, Examined>;
    for (const name of questionNames) questions[name] = await examine(session, engine, exam, name);
    const fetch = await session.order('fetch', { questions: distinct(exam.questions.q2), withinMs: patienceMs.fetch });
    const edit = engine === 'columns' ? await session.order('edit', { questions: exam.questions.q1w, samples: editSamples }) : null;
    return {
      engine,
      rows: exam.rows,
      fillMs: addMs + finishMs,
      coldOpen: opens === 0 ? null : opened.plain,
      coldOpenCounted: opens === 0 ? null : opened.counted,
      questions,
      fetch,
      edit,
      turns,
      scriptBytes: await session.memory(),
      wasmBytes: await session.order('wasm', {}),
    };
  } finally {
    await session.close();
  }
}

/** Compares the answers to all questions of a kind, then times them. */
async function examine(session: Session, engine: EngineName, exam: Exam, name: QuestionName): Promise<Examined> {
  const questions = exam.questions[name];
  const { answers: given, times: firstTimes } = await session.order('answer', { questions, withinMs: patienceMs.answer, atLeast });
  for (const [index, answer] of given.entries()) {
    const seen = exam.isSabotaged ? (spoiltAnswers(answer).next().value ?? answer) : answer;
    const difference = differenceBetween(exam.answers[name][index] as Answer, seen);
    if (difference !== null) throw new WrongAnswerError(engine, questions[index] as Question, difference);
  }
  if (median(firstTimes) > slowMs) return { checked: given.length, times: firstTimes };
  const times = await session.order('time', { questions: questions.slice(0, given.length), samples, withinMs: patienceMs.time, atLeast });
  return { checked: given.length, times };
}

function distinct(questions: readonly Question[]): Question[] {
  return [...new Map(questions.map((question) => [JSON.stringify(question), question])).values()];
}

/** A filling that is watched, apart from the one whose writing is timed. */
async function measureTurns({ seed, rows }: Exam, { url, folder }: Place): Promise<Turns> {
  const profile = join(folder, `turns-${rows}`);
  const session = await Session.open(url, profile);
  try {
    await session.start('columns.js');
    return await session.order('turns', { seed, rows });
  } finally {
    await session.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Edits alone, on a small ledger: what the same edit on a large one is held against. */
export async function measureEdits(exam: Exam, { url, folder }: Place): Promise<Orders['edit']['answer']> {
  const session = await Session.open(url, join(folder, `edits-${exam.rows}`));
  try {
    await session.start('columns.js');
    await session.order('fill', { seed: exam.seed, rows: exam.rows });
    return await session.order('edit', { questions: exam.questions.q1w, samples: editSamples });
  } finally {
    await session.close();
  }
}
