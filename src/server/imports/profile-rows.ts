import { type TransactionTypeId, transactionTypes } from '#contract/transaction-codes.ts';
import { negated } from '#domain/amounts.ts';
import { signOfType } from '#domain/transaction-types.ts';
import { quoted, type Reading, type RowResult, refused, type TransactionDraft } from './imported-row.ts';
import type { AmountColumns, CsvProfile, FeeRule, MovementRule, TradeRule, TypeRule } from './profiles.ts';
import { type DecimalMark, readAmount } from './read-amount.ts';
import { readIsoMoment, readPatternMoment } from './read-moment.ts';

/** One row as a profile looks at it. */
export interface ProfileRow {
  /** Trimmed text of a column by the profile's name for it; empty when the file has no such column. */
  cell(column: string): string;
  /** The row's natural key: what its drafts share. */
  group: string;
  /** The asset of a file that does not name one. */
  defaultSymbol: string | null;
}

interface Amount {
  quantity: string;
  symbol: string;
}

const numberAndTicker = /^(\S+)\s+(\S+)$/;
const longestSymbol = 64;
const tradeTypes: ReadonlySet<number> = new Set([3, 4]);

function symbolOf(name: string, text: string): Reading<string> {
  if (text === '') return refused(`${name} is empty`);
  return text.length > longestSymbol ? refused(`${name} ${quoted(text)} is too long to be an asset`) : { ok: true, value: text };
}

/** A quantity in a column and its ticker in another, or both in one cell. */
function amountOf(row: ProfileRow, columns: AmountColumns, mark: DecimalMark): Reading<Amount> {
  const text = row.cell(columns.quantity);
  const split = columns.symbol === null ? numberAndTicker.exec(text) : null;
  if (columns.symbol === null && !split)
    return refused(`${columns.quantity} ${quoted(text)} is not an amount with its asset, such as 0.01 BTC`);
  const quantity = readAmount(columns.quantity, split?.[1] ?? text, mark);
  if (!quantity.ok) return quantity;
  const symbol = symbolOf(columns.symbol ?? columns.quantity, split?.[2] ?? row.cell(columns.symbol ?? ''));
  return symbol.ok ? { ok: true, value: { quantity: quantity.value, symbol: symbol.value } } : symbol;
}

/** A cell of a fee with none in it: blank, or the dashes some exchanges write. */
function isNone(text: string): boolean {
  return /^-*$/.test(text);
}

function draftOf(key: TransactionDraft['key'], trxTypeId: TransactionTypeId, trxDate: string, amount: Amount): TransactionDraft {
  const empty = { feeQuantity: null, feeSymbol: null, txHash: null, fromAddress: null, toAddress: null, description: null, group: null };
  return { key, trxTypeId, trxDate, quantity: amount.quantity, symbol: amount.symbol, ...empty };
}

/** The type of the fee that goes with a type. */
function feeTypeOf(mainType: TransactionTypeId): TransactionTypeId {
  if (tradeTypes.has(mainType)) return 5;
  return mainType === 1 ? 7 : mainType === 2 ? 8 : 24;
}

/** A negative fee on a trade is a rebate; on anything else nobody knows what it means. */
function feeDraft(fee: Amount, mainType: TransactionTypeId, trxDate: string): Reading<TransactionDraft[]> {
  if (fee.quantity === '0') return { ok: true, value: [] };
  if (!fee.quantity.startsWith('-')) return { ok: true, value: [draftOf('fee', feeTypeOf(mainType), trxDate, fee)] };
  if (!tradeTypes.has(mainType)) return refused(`Fee ${quoted(fee.quantity)} is negative`);
  return { ok: true, value: [draftOf('fee', 6, trxDate, { ...fee, quantity: negated(fee.quantity) })] };
}

function isTypeId(id: number): id is TransactionTypeId {
  return Object.hasOwn(transactionTypes, id);
}

/** Letters and digits alone, so that `trade_buy`, `TradeBuy` and `Trade buy` are one. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const typeIdsByName: ReadonlyMap<string, TransactionTypeId> = new Map(
  Object.keys(transactionTypes)
    .map(Number)
    .filter(isTypeId)
    .flatMap((id) => [[bare(transactionTypes[id]), id] as const, [String(id), id] as const])
    .concat([['unrealizedpnl', 20]]),
);

function typeOf(rule: TypeRule, row: ProfileRow, quantity: string): Reading<TransactionTypeId> {
  if (rule.by === 'fixed') return { ok: true, value: rule.typeId };
  const text = row.cell(rule.column);
  if (rule.by === 'word') {
    const typeId = Object.hasOwn(rule.words, text.toUpperCase()) ? rule.words[text.toUpperCase()] : undefined;
    return typeId === undefined
      ? refused(`${rule.column} ${quoted(text)} is not known; it is one of ${Object.keys(rule.words).join(', ')}`)
      : { ok: true, value: typeId };
  }
  if (text === '') return { ok: true, value: quantity.startsWith('-') ? 2 : 1 };
  const typeId = typeIdsByName.get(bare(text));
  return typeId === undefined
    ? refused(`Type ${quoted(text)} is not the name or number of a transaction type`)
    : { ok: true, value: typeId };
}

/** `USDTBEP20` on network `BEP20` is `USDT`. Only standards with a number: `BETH` on network `ETH` is a coin of its own. */
function withoutNetwork(ticker: string, network: string): string {
  const isGlued = /^[a-z]+\d+$/i.test(network) && ticker.length > network.length && ticker.toUpperCase().endsWith(network.toUpperCase());
  return isGlued ? ticker.slice(0, -network.length) : ticker;
}

function movedSymbol(rule: MovementRule, row: ProfileRow): Reading<string> {
  if (rule.symbol === null)
    return row.defaultSymbol === null ? refused('The file does not name its asset') : { ok: true, value: row.defaultSymbol };
  const ticker = row.cell(rule.symbol.column);
  const bareTicker = rule.symbol.network === undefined ? ticker : withoutNetwork(ticker, row.cell(rule.symbol.network));
  return symbolOf(rule.symbol.column, rule.symbol.inCapitals ? bareTicker.toUpperCase() : bareTicker);
}

function movementFee(rule: FeeRule | undefined, row: ProfileRow, main: TransactionDraft, mark: DecimalMark): Reading<TransactionDraft[]> {
  const isOurs = rule && (rule.paidOn === undefined || rule.paidOn.includes(main.trxTypeId));
  if (!isOurs || isNone(row.cell(rule.column))) return { ok: true, value: [] };
  const quantity = readAmount(rule.column, row.cell(rule.column), mark);
  if (!quantity.ok) return quantity;
  const symbol = symbolOf(rule.symbol ?? rule.column, (rule.symbol === null ? '' : row.cell(rule.symbol)) || main.symbol);
  return symbol.ok ? feeDraft({ quantity: quantity.value, symbol: symbol.value }, main.trxTypeId, main.trxDate) : symbol;
}

function readMovement(rule: MovementRule, row: ProfileRow, trxDate: string, mark: DecimalMark): RowResult {
  const signed = readAmount(rule.quantity, row.cell(rule.quantity), mark);
  if (!signed.ok) return signed;
  if (signed.value === '0') return refused(`${rule.quantity} is zero: nothing moved`);
  const symbol = movedSymbol(rule, row);
  if (!symbol.ok) return symbol;
  const type = typeOf(rule.type, row, signed.value);
  if (!type.ok) return type;
  const isNegative = signed.value.startsWith('-');
  if (isNegative && signOfType(type.value) >= 0) {
    return refused(`${rule.quantity} ${quoted(signed.value)} is negative, but ${quoted(transactionTypes[type.value])} takes nothing out`);
  }
  const quantity = isNegative ? negated(signed.value) : signed.value;
  const main = {
    ...draftOf('main', type.value, trxDate, { quantity, symbol: symbol.value }),
    fromAddress: optional(row, rule.from),
    toAddress: optional(row, rule.to),
    description: optional(row, rule.description),
  };
  const fee = movementFee(rule.fee, row, main, mark);
  if (!fee.ok) return fee;
  // the fee left by the same transaction on the chain
  return { ok: true, drafts: grouped([main, ...fee.value], row.group).map((draft) => ({ ...draft, txHash: optional(row, rule.txHash) })) };
}

function optional(row: ProfileRow, column: string | undefined): string | null {
  return (column === undefined ? '' : row.cell(column)) || null;
}

function grouped(drafts: TransactionDraft[], group: string): TransactionDraft[] {
  return drafts.length === 1 ? drafts : drafts.map((draft) => ({ ...draft, group }));
}

function readTrade(rule: TradeRule, row: ProfileRow, trxDate: string, mark: DecimalMark): RowResult {
  if (isNone(row.cell(rule.received.quantity)) !== isNone(row.cell(rule.sent.quantity))) {
    return refused('Only one side of a trade is given; import deposits and withdrawals from the file the exchange has for them');
  }
  const received = amountOf(row, rule.received, mark);
  if (!received.ok) return received;
  const sent = amountOf(row, rule.sent, mark);
  if (!sent.ok) return sent;
  for (const [column, { quantity }] of [
    [rule.received.quantity, received.value],
    [rule.sent.quantity, sent.value],
  ] as const) {
    if (quantity === '0') return refused(`${column} is zero: nothing was traded`);
    if (quantity.startsWith('-'))
      return refused(`${column} ${quoted(quantity)} is negative; both sides of a trade are given as positive numbers`);
  }
  const paid = rule.fee && !isNone(row.cell(rule.fee.quantity)) ? amountOf(row, rule.fee, mark) : null;
  // some exchanges leave the fee's asset blank when there is no fee
  const isFree = paid?.ok === false && rule.fee !== undefined && /^0+([.,]0*)?$/.test(row.cell(rule.fee.quantity));
  if (paid && !paid.ok && !isFree) return paid;
  const fee = paid?.ok ? feeDraft(paid.value, 3, trxDate) : { ok: true as const, value: [] };
  if (!fee.ok) return fee;
  const sides = [draftOf('main', 3, trxDate, received.value), draftOf('sell', 4, trxDate, sent.value), ...fee.value];
  return { ok: true, drafts: grouped(sides, row.group).map((draft) => ({ ...draft, description: optional(row, rule.description) })) };
}

/** Makes the drafts of a row as its profile says, or gives the first reason why not. */
export function readProfileRow(profile: CsvProfile, row: ProfileRow): RowResult {
  if (profile.status) {
    const word = row.cell(profile.status.column).toUpperCase();
    if (profile.status.didNot.includes(word)) return { ok: true, drafts: [] };
    if (!profile.status.happened.includes(word)) {
      return refused(`${profile.status.column} ${quoted(word)} does not say that it happened; import it again once it has`);
    }
  }
  const { column, forms, zone } = profile.date;
  const text = row.cell(column);
  if (text === '') return refused(`${column} is empty`);
  const moment = forms === 'iso' ? readIsoMoment(text) : readPatternMoment(text, forms, zone);
  if (!moment.ok) return moment;
  return profile.rows.kind === 'trade'
    ? readTrade(profile.rows, row, moment.value, profile.decimalMark)
    : readMovement(profile.rows, row, moment.value, profile.decimalMark);
}
