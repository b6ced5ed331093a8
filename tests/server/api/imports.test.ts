import { connect } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { importFile, listImportProfiles, listRawData } from '#contract/raw-data.ts';
import { listTransactions } from '#contract/transactions.ts';
import { clientAssignments } from '#server/database/tables/users.ts';
import { rawData } from '#server/database/tables/transactions.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAccount, anOffice, aUser } from '#tests/support/world.ts';

let server: TestServer;
let call: ApiCall;
let office: Awaited<ReturnType<typeof anOffice>>;

beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  call = (await server.signedIn(office.accountant.email)).call;
});
afterAll(() => server.close());

const newAccount = () => anAccount(server.database.db, { entity_id: office.entity.id, currency: 'USD' });
const upload = (accountId: string, name: string, text: string, by = call) =>
  by(importFile, { account_id: accountId }, { file: { name, content: new Blob([text]) } });

const statement = (rows: { id: string; amount: string; date?: string; name?: string }[]) => `OFXHEADER:100
DATA:OFXSGML

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>021<ACCTID>77<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>
${rows.map(({ id, amount, date = '20260301', name = 'Fee' }) => `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${date}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`).join('\n')}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

const trades = (rows: string[]) =>
  ['Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag', ...rows].join('\n');

describe('file import', () => {
  test('[RI1] a bank statement becomes transactions, priced in dollars, and reaches the list', async () => {
    const account = await newAccount();
    const answer = await upload(
      account.id,
      'march.ofx',
      statement([
        { id: '1', amount: '-6.60' },
        { id: '2', amount: '100.25', date: '20260302' },
      ]),
    );
    expect(answer).toMatchObject({
      format: 'ofx',
      processed: 2,
      ok: 2,
      failed: 0,
      unchanged: 0,
      first_date: '2026-03-01T00:00:00.000Z',
      last_date: '2026-03-02T00:00:00.000Z',
    });
    const rows = await call(listTransactions, { account_id: account.id });
    expect(rows).toMatchObject([
      { trx_type_id: 1, quantity: '100.25', price: '1', usd_value: '100.25', is_unidentified: false },
      { trx_type_id: 2, quantity: '6.6', usd_value: '6.6' },
    ]);
  });

  test('[RI2] importing a file again, or one that overlaps it, doubles nothing', async () => {
    const account = await newAccount();
    const first = [
      { id: '1', amount: '-1' },
      { id: '2', amount: '-2' },
    ];
    await upload(account.id, 'a.ofx', statement(first));
    expect(await upload(account.id, 'again.ofx', statement(first))).toMatchObject({ processed: 2, ok: 2, unchanged: 2, first_date: null });
    expect(await upload(account.id, 'b.ofx', statement([...first, { id: '3', amount: '-3' }]))).toMatchObject({
      processed: 3,
      unchanged: 2,
    });
    expect(await call(listTransactions, { account_id: account.id })).toHaveLength(3);
  });

  test('[RI3] a row the bank has changed replaces what it made before, and both texts are kept', async () => {
    const account = await newAccount();
    await upload(account.id, 'a.ofx', statement([{ id: '1', amount: '-5' }]));
    await upload(account.id, 'b.ofx', statement([{ id: '1', amount: '-5.50' }]));
    expect(await call(listTransactions, { account_id: account.id })).toMatchObject([{ quantity: '5.5', version: 2 }]);
    const raws = await server.database.db.select().from(rawData).where(eq(rawData.account_id, account.id));
    expect(raws).toHaveLength(2);
    expect(raws.filter((row) => row.supersedes !== null)).toHaveLength(1);
  });

  test('[RI4] one bad row does not stop the others: it is kept with its reason and counted', async () => {
    const account = await newAccount();
    const answer = await upload(
      account.id,
      'trades.csv',
      trades(['2/27/2022 12:09,0.1,ETH,200,BUSD,0.001,ETH,', '13/45/2022 12:09,1,ETH,1,BUSD,,,', '2/27/2022 12:11,abc,ETH,1,BUSD,,,']),
    );
    expect(answer).toMatchObject({ format: 'csv', profile_id: 'pionex_trades', processed: 3, ok: 1, failed: 2 });
    expect(answer.failures.map((failure) => failure.row)).toEqual([3, 4]);
    expect(answer.failures[1]?.reason).toContain('abc');
    const rows = await call(listTransactions, { account_id: account.id });
    expect(rows.map((row) => row.trx_type_id).sort()).toEqual([3, 4, 5]);
    expect(new Set(rows.map((row) => row.trade_group_id)).size).toBe(1);
    const failed = await call(listRawData, { account_id: account.id, is_processed: 'false' });
    expect(failed.map((row) => row.status)).toEqual(['PROCESSING_ERROR', 'PROCESSING_ERROR']);
    expect(await call(listRawData, { account_id: account.id, is_processed: '-1' })).toHaveLength(3);
  });

  test('[RI15] every failed row is named, however many there are', async () => {
    const account = await newAccount();
    const file = [
      'date,asset,quantity',
      ...Array.from({ length: 1_500 }, (_, index) => `2026-01-01,BTC,"0,${String(index).padStart(3, '0')}"`),
    ];
    const answer = await upload(account.id, 'many.csv', file.join('\n'));
    expect(answer).toMatchObject({ processed: 1_500, ok: 0, failed: 1_500 });
    expect(answer.failures.map(({ row }) => row)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 2));
  });

  test('[RI16] a row refused now that an earlier version read is warned of: what it made then stands', async () => {
    const account = await newAccount();
    const file = 'date,asset,quantity\n2026-01-01,BTC,"0,125"\n2026-01-02,BTC,"0,5"';
    await upload(account.id, 'a.csv', file);
    await server.database.db
      .update(rawData)
      .set({ status: 'PROCESSED', error: null, parser_version: 1 })
      .where(and(eq(rawData.account_id, account.id), eq(rawData.row_number, 2)));
    const answer = await upload(account.id, 'a.csv', file);
    expect(answer).toMatchObject({ ok: 0, failed: 2, unchanged: 0 });
    expect(answer.warnings).toEqual(['Rows refused now that an earlier version read; check the transactions it made of them: 1']);
  });

  test('[RI5] a ticker nobody knows makes an unidentified row, not a guess; a known one is found', async () => {
    const account = await newAccount();
    await upload(account.id, 'trades.csv', trades(['2/27/2022 12:09,5,QQZZ9,200,USD,,,']));
    const rows = await call(listTransactions, { account_id: account.id });
    expect(rows.find((row) => row.trx_type_id === 3)).toMatchObject({
      security_id: null,
      is_unidentified: true,
      unpriced_trx: true,
      custodian_security_id: expect.any(String),
    });
    expect(rows.find((row) => row.trx_type_id === 4)).toMatchObject({ is_unidentified: false, unpriced_trx: false, usd_value: '200' });
  });

  test('[RI6] a file that cannot be read is refused in words, and nothing is kept of it', async () => {
    const account = await newAccount();
    for (const [name, text] of [
      ['empty.csv', ''],
      ['odd.csv', 'a,b\n1,2\n'],
      ['photo.ofx', '\u0000\u0001\u0002\u0003'],
    ] as const) {
      await expect(upload(account.id, name, text)).rejects.toMatchObject({ status: 422, code: 'invalid' });
    }
    await expect(call(importFile, { account_id: account.id })).rejects.toMatchObject({ status: 422 });
    expect(await call(listRawData, { account_id: account.id })).toEqual([]);
  });

  test('[RI7] only those who may write raw data of the account can import into it', async () => {
    const account = await newAccount();
    const auditor = await aUser(server.database.db, {
      role: 'auditor',
      organizationIds: [office.organization.id],
      clientIds: [office.client.id],
    });
    const stranger = await anOffice(server.database.db);
    const file = statement([{ id: '1', amount: '-1' }]);
    await expect(upload(account.id, 'a.ofx', file, (await server.signedIn(auditor.email)).call)).rejects.toMatchObject({ status: 403 });
    await expect(upload(account.id, 'a.ofx', file, (await server.signedIn(stranger.accountant.email)).call)).rejects.toMatchObject({
      status: 404,
    });
    expect(await call(listTransactions, { account_id: account.id })).toEqual([]);
  });

  test('[RI8] two imports of one file at once leave its rows once', async () => {
    const account = await newAccount();
    const file = statement(Array.from({ length: 20 }, (_, index) => ({ id: String(index), amount: '-1' })));
    await Promise.all([upload(account.id, 'a.ofx', file), upload(account.id, 'a.ofx', file)]);
    expect(await call(listTransactions, { account_id: account.id })).toHaveLength(20);
  });

  test('[RI9] the profiles name the columns they look for', async () => {
    const profiles = await call(listImportProfiles, {});
    expect(profiles.map((profile) => profile.id)).toEqual(
      expect.arrayContaining(['pionex_trades', 'pionex_transfers', 'trezor', 'generic']),
    );
    expect(profiles.every((profile) => profile.columns.length > 0)).toBe(true);
  });

  test('[RI10] a key used for one file is refused for another, and nothing of that is lost unseen', async () => {
    const account = await newAccount();
    const send = (name: string, id: string) =>
      call(
        importFile,
        { account_id: account.id },
        { idempotencyKey: `key of ${account.id}`, file: { name, content: new Blob([statement([{ id, amount: '-1' }])]) } },
      );
    await send('one.ofx', '1');
    await expect(send('two.ofx', '2')).rejects.toMatchObject({ status: 422 });
    expect((await send('one.ofx', '1')).file_name).toBe('one.ofx');
  });

  test('[RI11] a row the bank corrects and then corrects back is as it was at first', async () => {
    const account = await newAccount();
    for (const amount of ['100', '200', '100']) {
      server.clock.advance(1000);
      await upload(account.id, 'a.ofx', statement([{ id: '1', amount }]));
    }
    expect(await call(listTransactions, { account_id: account.id })).toMatchObject([{ quantity: '100', version: 3 }]);
  });

  test('[RI12] an upload that breaks off holds up nobody', async () => {
    const account = await newAccount();
    const { jar } = await server.signedIn(office.accountant.email);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = new URL(address);
    for (let count = 0; count < 12; count += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(
            `POST /api/accounts/${account.id}/import HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nabc`,
            () => setImmediate(() => socket.destroy()),
          );
        });
        socket.on('close', () => resolve());
        socket.on('error', () => resolve());
      });
    }
    expect(await call(listTransactions, { account_id: account.id })).toEqual([]);
    expect(await upload(account.id, 'a.ofx', statement([{ id: '1', amount: '-1' }]))).toMatchObject({ ok: 1 });
  });

  test('[RI13] a tangled file is refused or read on its own thread: other calls are answered meanwhile', async () => {
    const account = await newAccount();
    const header = 'date,type,asset,quantity,price,fee,fee_asset,tx_hash,from,to,description\n';
    const importing = upload(account.id, 'commas.csv', header + `2024-01-01,Deposit,BTC,1${','.repeat(900_000)}\n`).catch(() => undefined);
    let longest = 0;
    let isDone = false;
    void importing.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const started = performance.now();
      await call(listImportProfiles, {});
      longest = Math.max(longest, performance.now() - started);
    }
    expect(longest).toBeLessThan(1500);
  }, 40_000);

  test('[RI14] a second file, a nameless part and a body without an end are refused, never with a 5xx', async () => {
    const account = await newAccount();
    const { jar } = await server.signedIn(office.accountant.email);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (payload: string, type = 'multipart/form-data; boundary=b') =>
      server.app.inject({ method: 'POST', url: `/api/accounts/${account.id}/import`, headers: { cookie, 'content-type': type }, payload });
    const part = (name: string, file: string) => `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\nx\r\n`;
    for (const payload of [
      `${part('file', 'a.csv')}${part('file', 'b.csv')}--b--\r\n`,
      `${part('other', 'a.csv')}--b--\r\n`,
      part('file', 'a.csv'),
      'garbage',
    ]) {
      const answer = await send(payload);
      expect([payload.slice(0, 60), answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([payload.slice(0, 60), true]);
    }
    expect((await send('x', 'multipart/form-data')).statusCode).toBeLessThan(500);
  });
});

test('[ID5] an import that is sent again under its key gets its answer, be it that its account is out of sight by then', async () => {
  const account = await newAccount();
  const person = await aUser(server.database.db, {
    role: 'accountant',
    organizationIds: [office.organization.id],
    clientIds: [office.client.id],
  });
  const { call: theirs } = await server.signedIn(person.email);
  const idempotencyKey = uuidv7();
  const send = () =>
    theirs(
      importFile,
      { account_id: account.id },
      { idempotencyKey, file: { name: 'a.ofx', content: new Blob([statement([{ id: '1', amount: '-1' }])]) } },
    );
  const first = await send();
  await server.database.db.delete(clientAssignments).where(eq(clientAssignments.user_id, person.id));
  expect(await send()).toEqual(first);
});
