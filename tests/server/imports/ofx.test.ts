import { expect, test } from 'vitest';
import type { ParsedFile } from '#server/imports/imported-row.ts';
import { readImport } from '#server/imports/read-file.ts';
import { bytesOf, type OfxRow, ofxFile, ofxStatement } from '#tests/support/import-files.ts';

function read(text: string): ParsedFile {
  const reading = readImport(bytesOf(text), 'bank.ofx', {});
  if (!reading.ok) throw new Error(reading.reason);
  return reading.file;
}

const draftsOf = (file: ParsedFile) => file.rows.flatMap(({ result }) => (result.ok ? result.drafts : []));
const reasonsOf = (file: ParsedFile) => file.rows.map(({ result }) => (result.ok ? null : result.reason));
const keysOf = (file: ParsedFile) => file.rows.map(({ naturalKey }) => naturalKey);
const rows: OfxRow[] = [{ FITID: 'A1' }, { FITID: 'A2', TRNTYPE: 'CREDIT', TRNAMT: '+100.00', NAME: 'Payroll', MEMO: 'Payroll of May' }];

test('[IM1] reads SGML, closed SGML and XML to the same rows, on one line or on many', () => {
  const sgml = read(ofxFile({ rows }));
  expect(sgml.rows).toHaveLength(2);
  expect(draftsOf(sgml)[0]).toEqual({
    key: 'main',
    symbol: 'USD',
    trxTypeId: 2,
    trxDate: '2024-01-05T12:00:00.000Z',
    quantity: '12.5',
    feeQuantity: null,
    feeSymbol: null,
    txHash: null,
    fromAddress: null,
    toAddress: null,
    description: 'Corner shop',
    group: null,
  });
  for (const form of ['sgml', 'sgml_closed', 'xml'] as const) {
    for (const between of ['', '\n', '\r\n\t']) {
      const file = read(ofxFile({ rows, form, between }));
      expect(draftsOf(file)).toEqual(draftsOf(sgml));
      expect(keysOf(file)).toEqual(keysOf(sgml));
    }
  }
});

test('[IM1] resolves entities and CDATA, lets a bare ampersand and less-than stand, and leaves out what no database holds', () => {
  const names = ['Fish &amp; Chips', 'Fish & Chips', 'a < b', '<![CDATA[ <b> & ]]>', '&#233;t&#xE9;', 'x&#0;y&#xD800;', '&unknown;'];
  const file = read(ofxFile({ rows: names.map((NAME, at) => ({ NAME, FITID: `A${at}` })) }));
  expect(draftsOf(file).map(({ description }) => description)).toEqual([
    'Fish & Chips',
    'Fish & Chips',
    'a < b',
    '<b> &',
    'été',
    'x&#0;y&#xD800;',
    '&unknown;',
  ]);
});

test('[IM1] an empty leaf without closing tag does not swallow the next', () => {
  const file = read(ofxFile({ rows: [{ NAME: '', MEMO: '', extra: '<PAYEE><NAME>Payee<CITY>Bern</PAYEE>\n<NAME>\n<MEMO>The memo' }] }));
  expect(draftsOf(file)[0]?.description).toBe('Payee · The memo');
});

test('[IM1] a transaction that is never closed ends where the next begins', () => {
  const file = read(ofxFile({ rows }).replaceAll('</STMTTRN>', ''));
  expect(draftsOf(file)).toHaveLength(2);
  expect(file.warnings).toEqual([]);
});

test('[IM2] the key is bank, account and FITID, the same each time the file is read', () => {
  expect(keysOf(read(ofxFile({ rows })))).toEqual(['ofx:111:222:A1', 'ofx:111:222:A2']);
  expect(keysOf(read(ofxFile({ account: { card: '4111' } })))).toEqual(['ofx::4111:A1']);
  expect(keysOf(read(ofxFile({ account: { bank: '1:2', id: '3' } })))).not.toEqual(
    keysOf(read(ofxFile({ account: { bank: '1', id: '2:3' } }))),
  );
});

test('[IM2] without FITID the key is the content and its ordinal among equals', () => {
  const blank = { FITID: '' };
  const [first, second, other] = keysOf(read(ofxFile({ rows: [blank, blank, { ...blank, TRNAMT: '-9' }] })));
  expect(new Set([first, second, other]).size).toBe(3);
  expect(keysOf(read(ofxFile({ rows: [{ ...blank, TRNAMT: '-9' }, blank] })))).toEqual([other, first]);
});

test('[IM2] a FITID too long for an index still gives a short key of its own', () => {
  const long = 'x'.repeat(5000);
  const [one, two] = keysOf(read(ofxFile({ rows: [{ FITID: `${long}1` }, { FITID: `${long}2` }] })));
  expect(one).not.toBe(two);
  expect(one?.length).toBeLessThan(100);
});

test('[IM3] one FITID on different transactions keeps both, whatever their order, and warns', () => {
  const early = { FITID: 'A1', DTPOSTED: '20240101', NAME: 'Early' };
  const late = { FITID: 'A1', DTPOSTED: '20240102', NAME: 'Late' };
  const file = read(ofxFile({ rows: [early, late] }));
  expect(keysOf(file)).toEqual(['ofx:111:222:A1', 'ofx:111:222:A1:#2']);
  expect(keysOf(read(ofxFile({ rows: [late, early] })))).toEqual(['ofx:111:222:A1:#2', 'ofx:111:222:A1']);
  expect(file.warnings).toEqual(["The bank gave one id to different transactions, which are all kept: 'A1'"]);
});

test('[IM3] a transaction listed twice with one FITID is taken once and warned of', () => {
  const file = read(ofxFile({}, [ofxStatement({ rows }), ofxStatement({ rows })]));
  expect(keysOf(file)).toEqual(['ofx:111:222:A1', 'ofx:111:222:A2']);
  expect(file.warnings).toEqual(['Transactions listed more than once with the same id and content, taken once each: 2 left out']);
});

test.each([
  ['CREDIT', '5', 1],
  ['DEBIT', '-5', 2],
  ['POS', '-5', 2],
  ['OTHER', '5', 1],
  ['INT', '5', 15],
  ['INT', '-5', 9],
  ['FEE', '-5', 24],
  ['SRVCHG', '-5', 24],
  ['FEE', '5', 1],
  ['DIV', '5', 12],
  ['DIV', '-5', 2],
])('[IM4] %s of %s becomes type %i with a positive quantity', (TRNTYPE, TRNAMT, trxTypeId) => {
  expect(draftsOf(read(ofxFile({ rows: [{ TRNTYPE, TRNAMT }] })))[0]).toMatchObject({ trxTypeId, quantity: '5' });
});

test('[IM4] the sign goes before the word of the bank, with a warning', () => {
  const file = read(ofxFile({ rows: [{ TRNTYPE: 'DEBIT', TRNAMT: '5' }] }));
  expect(draftsOf(file)[0]).toMatchObject({ trxTypeId: 1 });
  expect(file.warnings[0]).toMatch(/against the sign of their amount: 1; the sign was followed/);
});

test('[IM5] reads several statements with their currencies and balances, cards too', () => {
  const bank = ofxStatement({ balance: { amount: '1234,56', asOf: '20240131' } });
  const card = ofxStatement({ account: { card: '4111' }, currency: 'EUR' });
  const file = read(ofxFile({}, [bank, card]));
  expect(draftsOf(file).map(({ symbol }) => symbol)).toEqual(['USD', 'EUR']);
  expect(file.statements).toEqual([
    { bankId: '111', accountId: '222', currency: 'USD', ledgerBalance: '1234.56', asOf: '2024-01-31T00:00:00.000Z' },
    { bankId: null, accountId: '4111', currency: 'EUR', ledgerBalance: null, asOf: null },
  ]);
});

test("[IM5] a transaction in a currency of its own has that symbol; one already converted has the statement's", () => {
  const own = (tag: string) => ({ FITID: tag, extra: `<${tag}><CURRATE>1.1<CURSYM>GBP</${tag}>` });
  expect(draftsOf(read(ofxFile({ rows: [own('CURRENCY'), own('ORIGCURRENCY')] }))).map(({ symbol }) => symbol)).toEqual(['GBP', 'USD']);
});

test("[IM5] a statement without currency takes the account's asset, else its rows fail", () => {
  const text = ofxFile({ currency: '' });
  expect(reasonsOf(read(text))).toEqual(['The statement does not say its currency']);
  const reading = readImport(bytesOf(text), 'bank.ofx', { defaultSymbol: 'CHF' });
  expect(reading.ok && draftsOf(reading.file)[0]?.symbol).toBe('CHF');
});

test('[IM6] a file cut off in a transaction gives the rows before it, the cut row as failed, and a warning', () => {
  const whole = ofxFile({ rows });
  const file = read(whole.slice(0, whole.indexOf('+100') + 2));
  expect(reasonsOf(file)).toEqual([null, 'The file ends in the middle of this transaction']);
  expect(file.warnings).toEqual(['The file is cut off: it ends without </OFX>, so transactions may be missing']);
});

test('[IM6] refuses a file cut off before any statement, and OFX without one', () => {
  expect(readImport(bytesOf('OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS>'), 'a', {})).toEqual({
    ok: false,
    reason: 'The OFX file is cut off before its first statement',
  });
  expect(readImport(bytesOf('<OFX><INVSTMTRS><STMTTRN></INVSTMTRS></OFX>'), 'a', {})).toEqual({
    ok: false,
    reason: 'The OFX file holds no bank or credit card statement, only INVSTMTRS',
  });
});

test('[IM7] a bad row fails with a reason in plain words and the others go on', () => {
  const bad: OfxRow[] = [{ TRNAMT: 'abc' }, { TRNAMT: '0.00' }, { TRNAMT: '' }, { DTPOSTED: '20241345' }, { DTPOSTED: '' }, {}];
  const file = read(ofxFile({ rows: bad.map((row, at) => ({ ...row, FITID: `A${at}` })) }));
  expect(reasonsOf(file)).toEqual([
    "Amount 'abc' is not a number",
    'Amount is zero: nothing moved',
    'Amount is empty',
    "Posting date '20241345' is not a real date",
    "Posting date '' is not in the form YYYYMMDD or YYYYMMDDHHMMSS",
    null,
  ]);
  expect(file.rows.map(({ rowNumber }) => rowNumber)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(file.rows[0]).toMatchObject({
    payload: { TRNAMT: 'abc', ACCTID: '222', CURDEF: 'USD' },
    text: expect.stringMatching(/^<STMTTRN>[^]*abc[^]*<\/STMTTRN>$/),
  });
});
