// npm run sim:sabotage: plants one fault after another into a copy of the engine and sees that the simulator finds each. A simulator
// that finds nothing proves nothing.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

interface Fault {
  name: string;
  file: string;
  /** A text that is there once. */
  find: string;
  put: string;
}

const faults: readonly Fault[] = [
  {
    name: 'an edit whose answer was lost is sent again under a new key',
    file: 'src/workers/attempt.ts',
    find: 'idempotencyKey: keyOf(edit)',
    put: 'idempotencyKey: `${edit.id.slice(0, -2)}${edit.attempts % 90 + 10}`',
  },
  {
    name: 'an edit that the server was not asked about is taken out',
    file: 'src/workers/attempt.ts',
    find: "      return attempts >= poisonAfter ? 'poison' : 'try_later';",
    put: "      return 'accepted';",
  },
  {
    name: 'an edit without an answer counts as accepted',
    file: 'src/workers/attempt.ts',
    find: "    case 'bad_answer':\n      return 'no_answer';",
    put: "    case 'bad_answer':\n      return 'accepted';",
  },
  {
    name: 'what a killed worker was sending stays as it is',
    file: 'src/replica/outbox.ts',
    find: "    await change(tx, ['sending'], { state: 'uncertain', may_have_arrived: true, next_attempt_at: 0 });",
    put: '',
  },
  {
    name: 'a later edit of a lane goes while an earlier one waits',
    file: 'src/replica/outbox.ts',
    find: '    if (!heads.has(mutation.lane)) heads.set(mutation.lane, mutation);',
    put: "    if (heads.get(mutation.lane)?.state !== 'queued') heads.set(mutation.lane, mutation);",
  },
  {
    name: 'the outbox is not fenced',
    file: 'src/replica/outbox.ts',
    find: '  if (current?.epoch !== epoch) throw new StaleWriterError();',
    put: '',
  },
  {
    name: 'the cursor is written before its rows',
    file: 'src/replica/set-writes.ts',
    find: '    await store.write([...tables], async (tx) => {\n',
    put: '    await store.write([...beside.tables], (tx) => beside.write(tx));\n    await store.write([...tables], async (tx) => {\n',
  },
  {
    name: 'an accepted edit is taken out before the copy holds what came of it',
    file: 'src/workers/replay.ts',
    find: '    await ports.settle(edits, fresh);',
    put: '    void ports.settle(edits, fresh).catch(() => undefined);',
  },
  {
    name: 'an edit is kept relaxed',
    file: 'src/replica/outbox-tables.ts',
    find: "    durability: 'strict',",
    put: "    durability: 'relaxed',",
  },
  {
    name: 'a page of known rows ends a pull',
    file: 'src/workers/paging.ts',
    find: '  if (fresh.length === 0 && page.length <= overlap) return { isJoined: true, fresh, next: null };\n  return { isJoined: true, fresh, next: { ...cursor, skip: Math.max(1, page.length - overlap), tail, moment } };',
    put: '  return { isJoined: true, fresh, next: null };',
  },
  {
    name: 'the next page begins after the last date',
    file: 'src/workers/paging.ts',
    find: '  if (hasMoved) return { isJoined: true, fresh, next: { end_date: last.trx_date, skip: 0, tail, moment } };',
    put: '  if (hasMoved) return { isJoined: true, fresh, next: { end_date: new Date(Date.parse(last.trx_date) - 1).toISOString(), skip: 0, tail } };',
  },
  {
    name: 'a short page ends a pull',
    file: 'src/workers/paging.ts',
    find: '  if (!last) return { isJoined: true, fresh, next: null };\n  const [tail, moment] = [remember(cursor, page), momentAfter(cursor, page)];\n  const hasMoved',
    put: '  if (!last || page.length < 100) return { isJoined: true, fresh, next: null };\n  const [tail, moment] = [remember(cursor, page), momentAfter(cursor, page)];\n  const hasMoved',
  },
  {
    name: 'a list that was asked for before an edit was settled takes its effect away',
    file: 'src/replica/apply.ts',
    find: '    const isOutOfDate = resets !== askedAt.resets || (pull.settled ?? 0) !== (askedAt.pull.settled ?? 0);',
    put: '    const isOutOfDate = false;',
  },
  {
    name: 'an older answer takes the place of a newer row',
    file: 'src/replica/column-set.ts',
    find: '        return isNumbered ? (row.version ?? 0) > (before.version ?? 0) : JSON.stringify(row) !== JSON.stringify(before);',
    put: '      return JSON.stringify(row) !== JSON.stringify(before) || isNumbered === null;',
  },
  {
    name: 'a refused edit is thrown away',
    file: 'src/replica/outbox.ts',
    find: '  if (state === null) throw new Error(`An edit that is ${mutation.state} cannot meet ${event}`);',
    put: "  if (state === null) throw new Error('no');\n  if (state === 'refused') return tx.remove('mutations', seq);",
  },
  {
    name: 'a worker that lost its place never works again',
    file: 'src/workers/writer.ts',
    find: '    for (let fails = 1; !signal.aborted; fails += 1) {',
    put: '    for (let fails = 1; !signal.aborted && fails < 2; fails += 1) {',
  },
  {
    name: 'the copy is not fenced',
    file: 'src/replica/fence.ts',
    find: "        if (own !== null && typeof current === 'number' && current > own) throw new StaleWriterError();",
    put: '',
  },
  {
    name: 'that an edit may have arrived is forgotten',
    file: 'src/replica/outbox.ts',
    find: '  const may_have_arrived = outcome.hasNotArrived !== true && (mutation.may_have_arrived === true || outcome.mayHaveArrived === true);',
    put: '  const may_have_arrived = false;',
  },
  {
    name: 'a full disk at the start ends all work',
    file: 'src/workers/writer.ts',
    find: '        if (!signal.aborted && !(error instanceof StaleWriterError)) {',
    put: "        if (!signal.aborted && !(error instanceof StaleWriterError)) {\n          if (String(error).includes('room')) return;",
  },
  {
    name: 'an edit on its way can be discarded',
    file: 'src/replica/outbox.ts',
    find: "  if (isOnItsWay(mutation.state)) return 'on_its_way';",
    put: '',
  },
  {
    name: 'what is read is never read again',
    file: 'src/workers/plan.ts',
    find: '    return age >= (isVisible ? refreshAfterMs : Math.max(refreshAfterMs, backgroundRefreshAfterMs));',
    put: '    return age < 0 && isVisible && refreshAfterMs > backgroundRefreshAfterMs;',
  },
  {
    name: 'older rows are never swept again',
    file: 'src/workers/pull.ts',
    find: '  for (let pages = 0; pages < sweepPages; pages += 1) {',
    put: '  for (let pages = sweepPages; pages < sweepPages; pages += 1) {',
  },
  {
    name: 'the place in the feed is written before its changes',
    file: 'src/replica/feed-page.ts',
    find: '    await writeSets(replica.rows, parts, {',
    put: "    await replica.rows.write(['meta'], (tx) => putFeedState(tx, after));\n    await writeSets(replica.rows, parts, {",
  },
  {
    name: 'a row that went is not remembered',
    file: 'src/replica/feed-page.ts',
    find: "  await tx.putMany('gone', gone);",
    put: '',
  },
  {
    name: 'a removal is only in memory',
    file: 'src/replica/column-set.ts',
    find: 'const written = [...rows, ...removed.map(goneRow)];',
    put: 'const written: object[] & { id: string }[] = [...rows];',
  },
  {
    name: 'what may no longer be seen stays',
    file: 'src/replica/feed-page.ts',
    find: '        await dropScopes(tx, lost);',
    put: '',
  },
  {
    name: 'what was asked for before a loss brings the rows back',
    file: 'src/replica/apply.ts',
    find: '  return feed !== null && scope !==',
    put: '  return false && feed !== null && scope !==',
  },
  {
    name: 'pulls asked for before a reset count as done after it',
    file: 'src/replica/pulls.ts',
    find: '  if ((await resetsIn(tx)) !== resets) throw new ClosedSetError();',
    put: '',
  },
  {
    name: 'the rows of another database stay',
    file: 'src/workers/feed.ts',
    find: '    await sets.without([...all], () => dropRows(replica));',
    put: '',
  },
  {
    name: 'rights that changed are no reason to read lists again',
    file: 'src/replica/feed-page.ts',
    find: '        if (hasNewPermissions) await makeAllDue(tx);',
    put: '',
  },
  {
    name: 'a page of the feed is written in two transactions, its changes first',
    file: 'src/replica/feed-page.ts',
    find: '    await writeSets(replica.rows, parts, {',
    put: "    await replica.rows.write([...rowNouns, 'pulls', 'gone'], async (tx) => {\n      for (const noun of nouns) await applyToRows(tx, noun, changes[noun] ?? []);\n    });\n    await writeSets(replica.rows, parts, {",
  },
  {
    name: 'what lists lack is kept',
    file: 'src/workers/pull.ts',
    find: '  const absent = covered ? await absentRows(set, entity, covered) : [];',
    put: '  const absent: string[] = [];\n  void [covered, absentRows];',
  },
  {
    name: 'an edit is not bound to the version it was made on',
    file: 'src/workers/attempt.ts',
    find: "typeof version === 'number' && endpoint.ifMatch ? { ifVersion: version, serverGen: generation } : {}",
    put: "typeof version === 'string' && endpoint.ifMatch ? { ifVersion: version, serverGen: generation } : {}",
  },
  {
    name: 'a decision about money merges by itself',
    file: 'src/contract/mutations.ts',
    find: "merge: { merges: [], asks: ['match_state', 'quantity', 'security_id', 'trx_type_id', 'trx_date'] }",
    put: "merge: { merges: ['match_state', 'quantity', 'security_id', 'trx_type_id', 'trx_date'], asks: [] }",
  },
  {
    name: 'what both changed is ours',
    file: 'src/replica/merge.ts',
    find: '  if (undecided.length > 0)',
    put: '  if (undecided.length > 9)',
  },
  {
    name: 'a view that somebody deleted is made again unasked',
    file: 'src/replica/merge.ts',
    find: "  if (mine === null || theirs === null) return { kind: 'conflict', fields: changedByThem };",
    put: "  if (mine === null) return { kind: 'conflict', fields: changedByThem };\n  if (theirs === null) return { kind: 'merged', fields: mine };",
  },
  {
    name: 'an edit in conflict is thrown away',
    file: 'src/replica/outbox.ts',
    find: '  if (state === null) throw new Error(`An edit that is ${mutation.state} cannot meet ${event}`);',
    put: "  if (state === null) throw new Error('no');\n  if (state === 'conflict') return tx.remove('mutations', seq);",
  },
  {
    name: 'what waited for an update of the app waits for ever',
    file: 'src/replica/outbox.ts',
    find: '!isOfNewerBuild(edit) && edit.paused_build !== build',
    put: '!isOfNewerBuild(edit) && edit.paused_build === build',
  },
  {
    name: 'an edit goes before those it follows',
    file: 'src/replica/outbox.ts',
    find: 'deps?.every((id) => !open.has(id)) ?? true;',
    put: 'deps?.every((id) => !open.has(id)) ?? true;\n    if (open.size > 0) heads.forEach((head) => (head.deps = []));',
  },
  {
    name: 'an edit that follows one let go of is sent all the same',
    file: 'src/replica/settling.ts',
    find: '    if (lost === undefined || isOfNewerBuild(edit)) continue;',
    put: '    if (lost !== undefined || isOfNewerBuild(edit)) continue;',
  },
  {
    name: 'an edit that others follow gives way',
    file: 'src/replica/coalescing.ts',
    find: 'const edit = followed.has(id) ? undefined : await tx.get',
    put: 'const edit = followed.has(`${id} `) ? undefined : await tx.get',
  },
  {
    name: 'an edit whose effect the feed may have told already counts as news',
    file: 'src/workers/replay.ts',
    find: "if (outcome.event === 'accepted' && edit.may_have_arrived !== true)",
    put: "if (outcome.event === 'accepted')",
  },
  {
    name: 'of a client that is left out rows are brought back by an edit',
    file: 'src/workers/run.ts',
    find: 'if (!entity || !isFollowed || leftOut.has(entity.client_id)) continue;',
    put: 'if (!entity) continue;',
  },
  {
    name: 'a client that is left out is followed',
    file: 'src/workers/feed.ts',
    find: "|| !isLeftOut(idOfScope('client', parent) ?? '')",
    put: "|| isLeftOut(idOfScope('client', parent) ?? '') || true",
  },
  {
    name: 'a page that joins nothing counts as read',
    file: 'src/workers/pull.ts',
    find: 'last && step.isJoined ?',
    put: 'last ?',
  },
  {
    name: 'rows that moved join pages',
    file: 'src/workers/paging.ts',
    find: 'cursor.tail.includes(placeOf(row))',
    put: 'cursor.tail.some((place) => place.startsWith(`${row.id} `))',
  },
  {
    name: 'what went for want of room is taken for pulled',
    file: 'src/replica/left-out.ts',
    find: '    await resetPulls(tx, scopes);\n    if (feed)',
    put: '    if (feed)',
  },
  {
    name: 'a worker does not say whose work it does',
    file: 'src/workers/run.ts',
    find: '!isForeign() ? session.userId : null',
    put: '!isForeign() ? null : null',
  },
  {
    name: 'signing out does not end what is under way',
    file: 'src/workers/engine.ts',
    find: '    run.abort.abort();\n    run.nudges.close();',
    put: '    void this.#writer.work;\n    run.nudges.close();\n    if (run.done) return;',
  },
];

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '500' }, only: { type: 'string' } } });
const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** Whether the simulator fails on a copy with a fault, within so many seeds. */
async function isFound({ file, find, put }: Fault, seeds: number): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'sabotage-'));
  try {
    for (const part of ['src', 'package.json', 'tests/sim']) cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${file} does not have this text once: ${find}`);
    writeFileSync(
      path,
      text.replace(find, () => put),
    );
    for (let [from, batch] = [1, firstBatch]; from <= seeds; [from, batch] = [from + batch, batch * 2]) {
      const most = String(Math.min(batch, seeds - from + 1));
      const command = [
        '--import',
        'tsx',
        'tests/sim/main.ts',
        '--from',
        String(from),
        '--seeds',
        most,
        '--steps',
        '200',
        '--brief',
        'true',
      ];
      const output = await run(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }).then(
        () => null,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      );
      if (output === null) continue;
      const [told] = /^Seed .*$/m.exec(output) ?? [];
      // a copy that does not even run shows nothing of the simulator
      if (told === undefined) throw new Error(`No seed failed, and yet the run did: ${output.slice(-600)}`);
      return told;
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Seeds before the first look; twice as many before each further one. */
const firstBatch = 20;
let missed = 0;
for (const fault of faults.filter(({ name }) => values.only === undefined || name.includes(values.only))) {
  const found = await isFound(fault, Number(values.seeds));
  if (found === null) missed += 1;
  console.log(`${found === null ? 'MISSED' : 'found '} ${fault.name}${found === null ? '' : `\n         ${found.slice(0, 180)}`}`);
}
console.log(`${faults.length} faults, ${missed} missed within ${values.seeds} seeds`);
if (missed > 0) process.exitCode = 1;
