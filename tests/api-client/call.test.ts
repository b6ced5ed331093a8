import { describe, expect, test } from 'vitest';
import { createClient } from '#api-client/call.ts';
import { accountListMessage, listAccounts } from '#contract/accounts.ts';
import { deleteEntity } from '#contract/entities.ts';
import { listTransactions, transactionListMessage } from '#contract/transactions.ts';
import { listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { attachToTicket } from '#contract/tickets.ts';
import { listCustodians } from '#contract/custodians.ts';

/** A client whose server gives one answer, and what it asked. */
function aClient(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = [];
  const unreadable: number[] = [];
  const call = createClient({
    baseUrl: 'http://localhost/api',
    timeoutMs: 50,
    onList: (_, list) => unreadable.push(list.unreadable.length),
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} });
      return answer();
    },
  });
  return { call, asked, unreadable };
}

const custodian = { id: '1', custodian_name: 'Kraken', custodian_type_id: 1, active: true, version: 1 };

describe('calls', () => {
  test('[CL1] filters are sent only when valued, arrays as repeated parameters, credentials always', async () => {
    const { call, asked } = aClient(() => Response.json([]));
    await call(listTransactions, { account_id: ['a', 'b'], security_id: [], trx_type_id: 'all', manual_trx: false });
    expect(asked[0]?.url).toBe('http://localhost/api/transactions?account_id=a&account_id=b&trx_type_id=all&manual_trx=false');
    expect(asked[0]?.init.credentials).toBe('include');
  });

  test('[CL10] what a server answered before is asked again, though the browser keeps it; an answer without a word says that it is done', async () => {
    const { call, asked } = aClient(() => new Response(null, { status: 204 }));
    expect(await call(deleteEntity, { id: 'a' })).toEqual({});
    expect(asked[0]?.init.cache).toBe('no-store');
    await expect(call(listCustodians, {})).rejects.toMatchObject({ code: 'bad_answer' });
  });

  test('[CL8] a form with a file carries its fields before the file, and is given time by its size', async () => {
    const sent: FormData[] = [];
    const waits: number[] = [];
    const call = createClient({
      baseUrl: 'http://localhost/api',
      timeoutMs: 50,
      alarm: (ms) => {
        waits.push(ms);
        return () => undefined;
      },
      fetch: async (url, init) => {
        expect(String(url)).toBe('http://localhost/api/ticket/attachment/t');
        sent.push(init?.body as FormData);
        return Response.json({ id: '1', filename: 'a.png', size: 1, mimeType: 'image/png' });
      },
    });
    const content = new Blob([new Uint8Array(1_000_050)], { type: 'image/png' });
    await call(attachToTicket, { ticket_id: 't', fileName: 'a.png' }, { file: { name: 'a.png', content } });
    const [fields] = sent.map((form) => [...form]);
    expect(fields?.map(([name]) => name)).toEqual(['fileName', 'file']);
    expect(fields?.[0]?.[1]).toBe('a.png');
    expect(waits).toEqual([50 + 10_001]);
  });

  test('[CL2] a refusal carries its code, its status and the first message with its place', async () => {
    const detail = [{ loc: ['body', 'trx_id'], msg: 'Field required', type: 'missing' }];
    const { call } = aClient(() => Response.json({ detail }, { status: 422 }));
    await expect(call(markTransfer, { trx_id: 'x', counterpart_id: null, is_transfer: true })).rejects.toMatchObject({
      code: 'invalid',
      status: 422,
      message: 'Field required (body.trx_id)',
    });
  });

  test('[CL3] the texts of the specification decide what a failure is', async () => {
    const codeOf = async (status: number, detail: string) => {
      const { call } = aClient(() => Response.json({ detail }, { status, headers: { 'retry-after': '7' } }));
      return call(listCustodians, {}).catch((error: { code: string; retryAfterMs: number }) => [error.code, error.retryAfterMs]);
    };
    for (const text of ['Not authenticated', 'Invalid token', 'No access token', 'Invalid credentials'])
      expect(await codeOf(401, text)).toEqual(['not_authenticated', 7000]);
    expect(await codeOf(429, 'Sync throttled for this account')).toEqual(['throttled', 7000]);
    expect(await codeOf(429, 'Sync blocked by Kraken')).toEqual(['blocked', 7000]);
    expect((await codeOf(403, 'Permission denied'))[0]).toBe('permission_denied');
    expect((await codeOf(502, 'Bad gateway'))[0]).toBe('unavailable');
    expect((await codeOf(418, 'Teapot'))[0]).toBe('invalid');
    expect((await codeOf(599, 'Odd'))[0]).toBe('internal');
  });

  test.each([
    [{ 'retry-after': '120' }, 120_000],
    // by the server's clock, whatever this device's says
    [{ 'retry-after': 'Mon, 14 Sep 2026 09:02:00 GMT', date: 'Mon, 14 Sep 2026 09:00:00 GMT' }, 120_000],
    [{ 'retry-after': 'Mon, 14 Sep 2026 08:00:00 GMT', date: 'Mon, 14 Sep 2026 09:00:00 GMT' }, undefined],
    [{ 'retry-after': 'Mon, 14 Sep 2026 09:02:00 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('[CL9] how long the server wants to be left alone it says in seconds, or as a moment by its own clock: %j', async (headers, ms) => {
    const { call } = aClient(() => Response.json({ detail: 'Request was throttled' }, { status: 429, headers: headers as HeadersInit }));
    const fault = await call(listCustodians, {}).catch((error: { retryAfterMs: number | undefined }) => error);
    expect(fault).toMatchObject({ code: 'throttled', retryAfterMs: ms });
  });

  test('[CL9] also where the answer is a page of somebody on the way', async () => {
    const { call } = aClient(() => new Response('<html>Too many requests</html>', { status: 429, headers: { 'retry-after': '30' } }));
    const fault = await call(listCustodians, {}).catch((error: { retryAfterMs: number | undefined }) => error);
    expect(fault).toMatchObject({ code: 'throttled', retryAfterMs: 30_000 });
  });

  test('[CL4] a page of somebody else, no answer in time and a cut wire are told apart, and all may be tried again', async () => {
    const codeOf = (answer: () => Response | Promise<Response>) =>
      aClient(answer)
        .call(listCustodians, {})
        .catch((error: { code: string; retriable: boolean }) => [error.code, error.retriable]);
    expect(await codeOf(() => new Response('<html>', { status: 200 }))).toEqual(['bad_answer', true]);
    expect(await codeOf(() => Promise.reject(new TypeError('network')))).toEqual(['network', true]);
    const { call } = aClient(() => new Response());
    expect(call).toBeTypeOf('function');
  });

  test('[CL5] unknown fields of a newer server are kept, and a row that does not fit is left out and counted', async () => {
    const { call, unreadable } = aClient(() =>
      Response.json([
        { ...custodian, colour: 'blue' },
        { ...custodian, id: 7 },
        { ...custodian, id: '3' },
      ]),
    );
    const rows = await call(listCustodians, {});
    expect(rows.map((row) => row.id)).toEqual(['1', '3']);
    expect(rows[0]).toHaveProperty('colour', 'blue');
    expect(unreadable).toEqual([1]);
    // rows are there, and none can be read
    const none = aClient(() => Response.json([{ id: 7 }]));
    await expect(none.call(listCustodians, {})).rejects.toMatchObject({ code: 'bad_answer', isSaid: true });
    await expect(aClient(() => Response.json({ rows: [] })).call(listCustodians, {})).rejects.toMatchObject({
      code: 'bad_answer',
      isSaid: false,
    });
  });

  test('[CL6] an answer that does not come in time is given up', async () => {
    const call = createClient({
      baseUrl: 'http://localhost/api',
      timeoutMs: 5,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))),
    });
    await expect(call(listCustodians, {})).rejects.toMatchObject({ code: 'timeout' });
  });

  test('[CL7] transactions without an account or an entity and a start, accounts of nothing and matches of no entity are not asked for', async () => {
    const { call, asked } = aClient(() => Response.json([]));
    const refusal = async (answer: Promise<unknown>): Promise<string> => answer.then(() => 'asked', String);
    const noEntity = {} as { entity_id: string };
    expect(await refusal(call(listTransactions, {}))).toContain(transactionListMessage);
    expect(await refusal(call(listTransactions, { entity_id: 'e' }))).toContain(transactionListMessage);
    expect(await refusal(call(listAccounts, {}))).toContain(accountListMessage);
    expect(await refusal(call(listTransactionMatches, noEntity))).toContain('(query.entity_id)');
    expect(asked).toEqual([]);
    expect(await refusal(call(listTransactions, { entity_id: 'e', start_date: '2026-01-01' }))).toBe('asked');
    expect(await refusal(call(listTransactions, { account_id: ['a'] }))).toBe('asked');
  });
});
