import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createClient } from '#api-client/call.ts';
import { type Endpoint, type Method, pathParts } from '#contract/endpoint.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { endpoints } from '#contract/endpoints.ts';
import { rawDataStatuses } from '#contract/raw-data.ts';
import { matchStates } from '#contract/transaction-codes.ts';
import { openApiDocument } from '#server/openapi.ts';
import { calls, type LedgerCall } from './calls.ts';
import { constants } from './constants.ts';
import { rules } from './rules.ts';
import { filesSaying, patternOf } from './source-texts.ts';
import { storageKeys } from './storage-keys.ts';
import { texts } from './texts.ts';

interface Operation {
  parameters: { name: string; in: string; schema: { default?: unknown } }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
}
const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, Operation>> };

/** A call with the names of its path's parts left out: nothing on the wire tells them. */
const placeOf = (call: string): string => call.replace(/:[a-z_]+|\{\w+\}/g, '{}');
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [placeOf(`${method.toUpperCase()} ${path}`), operation]),
  ),
);
const endpointsByPlace = new Map(endpoints.map((endpoint) => [placeOf(`${endpoint.method} ${endpoint.path}`), endpoint]));

/** The parameters of a call that are there; the others are open. */
function presentQuery({ query = {}, lacks = [] }: LedgerCall): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !lacks.includes(name)));
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' } as const;

/** What the client sends for a call with these values. */
async function sentBy(endpoint: Endpoint, input: Record<string, unknown>): Promise<{ method: Method; url: URL; body: unknown }> {
  const sent: { method: Method; url: URL; body: unknown }[] = [];
  const call = createClient({
    baseUrl: 'http://localhost',
    fetch: async (url, init) => {
      sent.push({ method: init?.method as Method, url: new URL(String(url)), body: init?.body });
      return Response.json({});
    },
  });
  const parts = Object.fromEntries(pathParts(endpoint.path).map((part) => [part, '{}']));
  // the answer is none of that call
  await call(endpoint, { ...input, ...parts }).catch(() => undefined);
  const [request] = sent;
  if (!request) throw new Error(`${endpoint.name} was not sent`);
  return request;
}

/** The fields of a body as they were sent. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (body instanceof URLSearchParams || body instanceof FormData) return Object.fromEntries(body);
  return typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {};
}

const report: string[] = [];

/** Tells the open rows of a table: one line a group, and each to be done in the summary of the run. */
function tellOpen<Row>(name: string, groups: Readonly<Record<string, readonly Row[]>>, openIn: (row: Row) => string | null): void {
  for (const [group, rows] of Object.entries(groups)) {
    const open = rows.map(openIn).filter((row) => row !== null);
    if (open.length > 0) report.push(`${name}, ${group}: ${open.length} of ${rows.length} open: ${open.join(' | ')}`);
    for (const row of open) test.todo(`${name}: ${row}`);
  }
}

afterAll(() => console.info(report.join('\n')));

const allCalls = Object.values(calls).flat();
const allTexts = Object.values(texts).flat();

describe('the ledger of the specification', () => {
  test.each(allCalls.filter(({ state }) => state === 'done'))(
    '[LG1] $call is documented as the specification has it, and the client sends it so',
    async (row) => {
      const operation = operations.get(placeOf(row.call));
      const endpoint = endpointsByPlace.get(placeOf(row.call));
      if (!operation || !endpoint) throw new Error('Not in the contract');
      const query = presentQuery(row);
      const inQuery = new Map(operation.parameters.filter((one) => one.in === 'query').map((one) => [one.name, one.schema]));
      expect([...inQuery.keys()]).toEqual(expect.arrayContaining(Object.keys(query)));
      expect([...inQuery.keys()].filter((name) => row.lacks?.includes(name))).toEqual([]);
      const defaults = { ...row.defaults, ...(row.limit === undefined ? {} : { limit: row.limit }) };
      expect(Object.fromEntries(Object.keys(defaults).map((name) => [name, inQuery.get(name)?.default]))).toEqual(defaults);
      expect(endpoint).toMatchObject(row.limit === undefined ? {} : { paging: { limit: row.limit } });
      const bodySchema = operation.requestBody?.content[mediaTypes[row.bodyAs ?? 'json']]?.schema;
      expect(Object.keys(bodySchema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(row.body ?? {})));

      const { method, url, body } = await sentBy(endpoint, { ...query, ...row.body });
      expect(`${method} ${decodeURIComponent(url.pathname)}`).toBe(placeOf(row.call));
      const values = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)]));
      expect([...url.searchParams]).toEqual(values);
      expect(fieldsOf(body)).toEqual(row.body ?? {});
    },
  );

  test('[LG2] no call that is called open is there, with or without the slash at its end', () => {
    const there = new Set([...operations.keys()].map((call) => call.replace(/\/$/, '')));
    const open = allCalls.filter(({ state }) => state === 'open').map(({ call }) => call);
    expect(open.filter((call) => there.has(placeOf(call).replace(/\/$/, '')))).toEqual([]);
    expect(new Set(allCalls.map(({ call }) => placeOf(call))).size).toBe(allCalls.length);
  });

  test.each(allTexts.filter(({ state }) => state === 'done'))('[LG3] the product says: $text', ({ text, under, made }) => {
    if (made) expect(made()).toMatch(new RegExp(`^${patternOf(text)}$`));
    expect(filesSaying(text, under)).not.toEqual([]);
  });

  test('[LG4] no text that is called open is said', () => {
    const open = allTexts.filter(({ state }) => state === 'open');
    const said = open.map(({ text, under }) => ({ text, files: filesSaying(text, under) }));
    expect(said.filter(({ files }) => files.length > 0)).toEqual([]);
  });

  test.each(
    Object.values(constants)
      .flat()
      .filter((row) => row.state === 'done'),
  )('[LG5] $item: $value', ({ is, value }) => {
    expect(is()).toEqual(value);
  });

  test('[LG6] the words for states are those of the specification', () => {
    expect(rawDataStatuses).toEqual(['SYNCED', 'SYNC_ERROR', 'PROCESSING', 'PROCESSING_ERROR', 'PROCESSED']);
    expect(matchStates).toEqual(expect.arrayContaining(['APPROVED', 'REJECTED']));
  });

  test('[LG7] what proves a rule of the specification is a rule of this house', () => {
    const known = new Set([...readFileSync('tests/rules.md', 'utf8').matchAll(/^- \*\*([A-Z]+\d+)\*\*/gm)].map((match) => match[1]));
    const named = Object.values(rules)
      .flat()
      .flatMap(({ by }) => by);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  test('[LG8] each local-storage key of the specification is one of the table, or open', () => {
    for (const { holds, rows } of storageKeys) {
      const said = rows.map((row) => keptKeys[row].key.replaceAll('_', ' '));
      expect([holds, said.every((key) => key.split(' ').every((word) => holds.includes(word.replace(/y$/, ''))))]).toEqual([holds, true]);
    }
    const known = storageKeys.flatMap(({ rows }) => rows);
    expect(new Set(known).size).toBe(known.length);
  });
});

describe('open', () => {
  tellOpen('Calls', calls, ({ call, state, lacks }) => (state === 'open' ? call : lacks ? `${call} without ${lacks.join(', ')}` : null));
  tellOpen('Texts', texts, ({ text, state }) => (state === 'open' ? text : null));
  tellOpen('Constants', constants, ({ item, state }) => (state === 'open' ? item : null));
  tellOpen('Rules', rules, ({ rule, by }) => (by.length === 0 ? rule : null));
  tellOpen('Keys', { 'of the browser’s storages': storageKeys }, ({ holds, rows: [row] }) => (row === undefined ? holds : null));
});
