import { expect, test } from 'vitest';
import type { ParsedFile, TransactionDraft } from '#server/imports/imported-row.ts';
import { profiles } from '#server/imports/profiles.ts';
import { type ReadOptions, readImport } from '#server/imports/read-file.ts';
import { bytesOf, csvFile, csvHeaders } from '#tests/support/import-files.ts';

interface Named extends ReadOptions {
  fileName?: string;
}

function read(text: string, { fileName = 'export.csv', ...options }: Named = {}): ParsedFile {
  const reading = readImport(bytesOf(text), fileName, options);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.file;
}

/** What a row came to: `key type quantity symbol` for each draft, or the reason. */
function outcomes(file: ParsedFile): (string | string[])[] {
  const words = ({ key, trxTypeId, quantity, symbol }: TransactionDraft) => `${key} ${trxTypeId} ${quantity} ${symbol}`;
  return file.rows.map(({ result }) => (result.ok ? result.drafts.map(words) : result.reason));
}

const draftsOf = (file: ParsedFile) => file.rows.flatMap(({ result }) => (result.ok ? result.drafts : []));

const genericRow = (cells: Partial<Record<string, string>>) =>
  csvHeaders.generic.map(
    (name) => cells[name] ?? ({ date: '2024-01-05', asset: 'BTC', quantity: '1' } as Record<string, string>)[name] ?? '',
  );
const generic = (...rows: Partial<Record<string, string>>[]) => outcomes(read(csvFile(csvHeaders.generic, rows.map(genericRow))));

test('[IM12] every profile has its own id and knows its own header', () => {
  expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
  for (const { id, columns, delimiters } of profiles) {
    expect(read(csvFile([...columns], [], delimiters[0]), { defaultSymbol: 'BTC' }).profileId).toBe(id);
  }
});

test('[IM15] a trade becomes a buy, a sell and a fee of one group', () => {
  const file = read(csvFile(csvHeaders.pionexTrades, [['3/1/2022 9:05', '0.2', 'ETH', '400', 'BUSD', '0.0001', 'ETH', 'grid']]));
  expect(outcomes(file)).toEqual([['main 3 0.2 ETH', 'sell 4 400 BUSD', 'fee 5 0.0001 ETH']]);
  const drafts = draftsOf(file);
  expect(new Set(drafts.map(({ group }) => group))).toEqual(new Set([file.rows[0]?.naturalKey]));
  expect(drafts[0]).toMatchObject({ trxDate: '2022-03-01T09:05:00.000Z', description: 'grid', feeQuantity: null });
});

test('[IM15] a trade with no fee, a rebate, one side, or nothing in it', () => {
  const trade = (received: string, sent: string, fee: string, feeSymbol = 'ETH') => [
    '3/1/2022 9:05',
    received,
    received && 'ETH',
    sent,
    'BUSD',
    fee,
    feeSymbol,
    '',
  ];
  const rows = [
    trade('1', '2', ''),
    trade('1', '2', '0', ''),
    trade('1', '2', '-0.1'),
    trade('', '2', ''),
    trade('0', '2', ''),
    trade('1', '-2', ''),
    trade('1', '2', '0.1', ''),
  ];
  expect(outcomes(read(csvFile(csvHeaders.pionexTrades, rows)))).toEqual([
    ['main 3 1 ETH', 'sell 4 2 BUSD'],
    ['main 3 1 ETH', 'sell 4 2 BUSD'],
    ['main 3 1 ETH', 'sell 4 2 BUSD', 'fee 6 0.1 ETH'],
    'Only one side of a trade is given; import deposits and withdrawals from the file the exchange has for them',
    'Received Quantity is zero: nothing was traded',
    "Sent Quantity '-2' is negative; both sides of a trade are given as positive numbers",
    'Fee Currency is empty',
  ]);
});

test('[IM15] amounts with the ticker in the same cell, and two dashes for no fee', () => {
  const buy = (fee: string, units = '0.5 ETH') => ['5/1/2022 14:00', 'ETH', '10.00 USDT', fee, units, 'Spot', 'Success'];
  expect(outcomes(read(csvFile(csvHeaders.binanceAutoinvest, [buy('0.01 USDT'), buy('--'), buy('--', '0.5')])))).toEqual([
    ['main 3 0.5 ETH', 'sell 4 10 USDT', 'fee 5 0.01 USDT'],
    ['main 3 0.5 ETH', 'sell 4 10 USDT'],
    "Units '0.5' is not an amount with its asset, such as 0.01 BTC",
  ]);
});

test('[IM15] the price of a Coincheck buy is what was paid in all', () => {
  expect(
    outcomes(read(csvFile(csvHeaders.coincheckBuys, [['7', '0.004', '9000', 'BTC', 'JPY', 'completed', '2022-04-20 16:20:00 UTC']]))),
  ).toEqual([['main 3 0.004 BTC', 'sell 4 9000 JPY']]);
});

test("[IM16] Trezor: the fee of what was sent is ours and on top, the fee of what was received is the sender's", () => {
  const rows = [
    ['2/3/2022, 2:58:40 PM', 'RECV', 'hash1', 'bc1me', '0.0002', '0.07'],
    ['2/4/2022, 12:00:01 AM', 'SENT', 'hash2', 'bc1you', '0.0003', '0.02'],
    ['2/5/2022, 12:00:01 AM', 'SELF', 'hash3', 'bc1me', '0.0003', '0.02'],
  ];
  const file = read(csvFile(csvHeaders.trezor, rows, ';'), { defaultSymbol: 'BTC' });
  expect(outcomes(file)).toEqual([
    ['main 1 0.07 BTC'],
    ['main 2 0.02 BTC', 'fee 8 0.0003 BTC'],
    "Type 'SELF' is not known; it is one of RECV, SENT",
  ]);
  expect(draftsOf(file)[1]).toMatchObject({ txHash: 'hash2', toAddress: 'bc1you', fromAddress: null, trxDate: '2022-02-04T00:00:01.000Z' });
  expect(file.warnings).toEqual(['The file does not say its time zone; times were taken as UTC']);
});

test("[IM21] the asset of a file that names none is the account's, else the one in its name, else the file is refused", () => {
  const text = csvFile(csvHeaders.trezor, [['2/3/2022, 2:58:40 PM', 'RECV', 'hash1', 'me', '0', '1']], ';');
  const symbol = (named: Named) => draftsOf(read(text, named))[0]?.symbol;
  expect(symbol({ fileName: 'export-ltc-2022.csv' })).toBe('LTC');
  expect(symbol({ fileName: 'export-ltc-2022.csv', defaultSymbol: 'BTC' })).toBe('BTC');
  expect(readImport(bytesOf(text), 'subtcsum.csv', {})).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^A Trezor Suite file does not name its asset/),
  });
});

test('[IM17] a fee the account pays is a draft of its own, by the type it goes with', () => {
  expect(
    generic(
      { type: 'Deposit', fee: '0.1' },
      { type: 'Withdrawal', fee: '0.1', fee_asset: 'ETH' },
      { type: 'Trade buy', fee: '0.1' },
      { type: 'Trade sell', fee: '-0.1' },
      { type: 'Airdrop', fee: '0.1' },
    ),
  ).toEqual([
    ['main 1 1 BTC', 'fee 7 0.1 BTC'],
    ['main 2 1 BTC', 'fee 8 0.1 ETH'],
    ['main 3 1 BTC', 'fee 5 0.1 BTC'],
    ['main 4 1 BTC', 'fee 6 0.1 BTC'],
    ['main 13 1 BTC', 'fee 24 0.1 BTC'],
  ]);
  expect(generic({ fee: '0' }, { fee: '-1' }, { fee: 'x' })).toEqual([['main 1 1 BTC'], "Fee '-1' is negative", "fee 'x' is not a number"]);
});

test('[IM18] what failed makes no transaction, what is not done yet waits as failed', () => {
  const deposit = (status: string) => ['xrp', '2022/11/12 08:57:01', '5', 'ripple', 'rAddress', 'TX1', status];
  const file = read(csvFile(csvHeaders.bitbankDeposits, ['DONE', 'FAILED', 'CONFIRMING'].map(deposit)));
  expect(outcomes(file)).toEqual([
    ['main 1 5 XRP'],
    [],
    "ステータス 'CONFIRMING' does not say that it happened; import it again once it has",
  ]);
  expect(draftsOf(file)[0]?.trxDate).toBe('2022-11-11T23:57:01.000Z');
  expect(file.warnings).toEqual(['Rows that say that nothing happened (failed or cancelled), kept without a transaction: 1']);
});

test('[IM18] a bitbank withdrawal has its fee on top and its label as description', () => {
  const file = read(
    csvFile(csvHeaders.bitbankWithdrawals, [['eth', '2022/04/25 16:21:00', '0.5', '0.005', 'cold', 'ETH', '0xabc', 'TX2', 'DONE']]),
  );
  expect(outcomes(file)).toEqual([['main 2 0.5 ETH', 'fee 8 0.005 ETH']]);
  expect(draftsOf(file)[0]).toMatchObject({ description: 'cold', toAddress: '0xabc', txHash: 'TX2' });
});

test('[IM19] the network an exchange glues behind the ticker is taken off, a coin that only ends alike is left', () => {
  const transfer = (coin: string, network: string) => ['3/1/2022 12:02', 'DEPOSIT', '1', coin, network, 'TX', '0'];
  const file = read(
    csvFile(csvHeaders.pionexTransfers, [
      transfer('BUSDBEP20', 'BEP20'),
      transfer('BETH', 'ETH'),
      transfer('USDT', 'TRC20'),
      transfer('BEP20', 'BEP20'),
    ]),
  );
  expect(draftsOf(file).map(({ symbol }) => symbol)).toEqual(['BUSD', 'BETH', 'USDT', 'BEP20']);
  expect(file.rows[0]?.payload.coin).toBe('BUSDBEP20');
});

test('[IM20] generic: a type is one of the 29 by name or number, or follows from the sign', () => {
  expect(
    generic({ type: 'staking_income' }, { type: '22' }, { type: 'TradeBuy' }, { type: 'Unrealized P&L' }, { type: 'Gift' }, { type: '30' }),
  ).toEqual([
    ['main 19 1 BTC'],
    ['main 22 1 BTC'],
    ['main 3 1 BTC'],
    ['main 20 1 BTC'],
    "Type 'Gift' is not the name or number of a transaction type",
    "Type '30' is not the name or number of a transaction type",
  ]);
  expect(generic({ quantity: '-2' }, { quantity: '2' }, { type: 'Fee', quantity: '-2' }, { type: 'Deposit', quantity: '-2' })).toEqual([
    ['main 2 2 BTC'],
    ['main 1 2 BTC'],
    ['main 24 2 BTC'],
    "quantity '-2' is negative, but 'Deposit' takes nothing out",
  ]);
});

test('[IM20] generic: hash, addresses and description go with the draft', () => {
  const file = read(csvFile(csvHeaders.generic, [genericRow({ tx_hash: '0x1', from: 'a', to: 'b', description: 'rent' })]));
  expect(draftsOf(file)[0]).toMatchObject({ txHash: '0x1', fromAddress: 'a', toAddress: 'b', description: 'rent', group: null });
});
