import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { readAmount } from '#domain/amount-text.ts';
import { amountLabel, amountWords } from '#domain/amount-words.ts';
import { exactAmount, formatPrice, formatQuantity, formatUsd, plainDecimal } from '#domain/amounts.ts';
import { columnsOfKeys, fileRow } from '#domain/file-cells.ts';
import { type NumberStyle, numberChoices, usualNumbers } from '#domain/number-style.ts';
import { transactionColumns, type TransactionNames } from '#domain/transaction-cells.ts';
import { alignedQuantity, shownQuantity } from '#domain/transaction-words.ts';

const bare: NumberStyle = { negatives: 'minus', grouping: 'none', decimals: 'usual' };
const spaced: NumberStyle = { ...bare, grouping: 'space' };
const whole: NumberStyle = { ...usualNumbers, decimals: 'all' };

test('[PF5] a style changes sign, separators and decimals of every kind of amount, and zero has no sign in any', () => {
  expect([formatUsd('-1234567.895', bare), formatUsd('-1234567.895', spaced), formatUsd('-1234567.895', whole)]).toEqual([
    '-1234567.90',
    '-1\u202f234\u202f567.90',
    '(1,234,567.895)',
  ]);
  expect([formatPrice('1234.123456789', bare), formatPrice('1234.123456789', whole)]).toEqual(['1234.12345679', '1,234.123456789']);
  expect([formatQuantity('-1', 8, bare), exactAmount('-1234.5', spaced)]).toEqual(['-1.00000000', '-1\u202f234.5']);
  expect([alignedQuantity('1.123456789', undefined, bare), alignedQuantity('1.123456789', undefined, whole)]).toEqual([
    '1.12345679',
    '1.123456789',
  ]);
  expect(shownQuantity('-1000.123456789012345678912', undefined, whole)).toBe('(1,000.123456789012345678912)');
  for (const style of [bare, spaced, whole]) expect(formatUsd('-0', style)).toBe('0.00');
  expect(Object.keys(numberChoices)).toEqual(Object.keys(usualNumbers));
});

test('[PF6] a style changes what a cell shows, and nothing that is copied or goes into a file', () => {
  const row = {
    id: 't1',
    trx_type_id: 2,
    trx_date: '2026-01-02T03:04:05Z',
    quantity: '12345.123456789',
    price: '1234.5',
    usd_value: '15240056.81',
    fee_quantity: '1000',
    fee_security_id: null,
    security_id: null,
  } as unknown as Transaction;
  const names: TransactionNames = { entity: new Map(), account: new Map(), custodian: new Map(), security: new Map() };
  const numbers = transactionColumns.filter(({ isNumber }) => isNumber);
  const told = numbers.map(({ cell }) => [cell(row, names, 'UTC', usualNumbers), cell(row, names, 'UTC', bare)] as const);
  expect(told.map(([usual, other]) => [usual.shown, other.shown])).toEqual([
    ['(12,345.12345679)', '-12345.12345679'],
    ['1,234.50', '1234.50'],
    ['(15,240,056.81)', '-15240056.81'],
    ['1,000.00000000', '1000.00000000'],
  ]);
  for (const [{ shown: _usual, ...usual }, { shown: _other, ...other }] of told) expect(other).toEqual(usual);
  expect(plainDecimal('-15240056.81')).toBe('-15240056.81');
  const file = fileRow(columnsOfKeys(['quantity', 'usd']), row, names, 'UTC');
  expect(file.map(({ text }) => text)).toEqual(['-12345.123456789', '', '-15240056.81']);
});

test('[PF7] every amount a screen formats is in the style of the person', () => {
  const call = /\b(formatUsd|formatPrice|formatQuantity|exactAmount|alignedQuantity|shownQuantity|amountLabel|amountWords|entryWords)\(/g;
  const bareCalls = readdirSync('src/app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(join('src/app', file), 'utf8');
      return [...code.matchAll(call)]
        .map((found) => code.slice(found.index, endOfCall(code, found.index)))
        .filter((text) => !/\bnumbers\)$/.test(text))
        .map((text) => `${file}: ${text}`);
    });
  expect(bareCalls).toEqual([]);
});

/** Where the call that begins somewhere ends, its parenthesis included. */
function endOfCall(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return code.length;
}

test('[PF8] a filter says its amounts in the style, and amounts of any style can be typed', () => {
  const choice = { range: { atLeast: '-1234567.5', atMost: '2000' } };
  expect(amountLabel(choice, spaced)).toBe('-1\u202f234\u202f567.5 to +2\u202f000');
  expect(amountWords(choice, bare)).toBe('From -1234567.5 to +2000, sign counted');
  for (const style of [usualNumbers, bare, spaced, whole]) {
    expect(readAmount(amountLabel(choice, style))).toEqual({ ok: true, choice });
    expect(readAmount(exactAmount('-1234567.5', style))).toEqual({
      ok: true,
      choice: { range: { atLeast: '-1234567.5', atMost: '-1234567.5' } },
    });
  }
  expect(readAmount('1 234 567')).toEqual(readAmount('1234567'));
  expect(readAmount('1 23').ok).toBe(false);
});
