import type { ImportProfile } from '#contract/raw-data.ts';
import type { TransactionTypeId } from '#contract/transaction-codes.ts';
import type { TimeZone } from '#domain/dates.ts';
import type { DecimalMark } from './read-amount.ts';

/** Where an amount and its ticker stand. `symbol` null: behind the number in the same cell, `0.01 ETH`. */
export interface AmountColumns {
  quantity: string;
  symbol: string | null;
}

export type TypeRule =
  | { by: 'fixed'; typeId: TransactionTypeId }
  /** Words of a column, in capitals. */
  | { by: 'word'; column: string; words: Record<string, TransactionTypeId> }
  /** Name or number of one of the 29 types; where blank, the sign says deposit or withdrawal. */
  | { by: 'name_or_sign'; column: string };

export interface FeeRule {
  column: string;
  /** The column of the fee's ticker; null: the same asset as the amount. */
  symbol: string | null;
  /** The types whose fee the account itself pays, on top of the amount; all when left out. */
  paidOn?: readonly TransactionTypeId[];
}

/** One side of something that came or went. */
export interface MovementRule {
  kind: 'movement';
  type: TypeRule;
  quantity: string;
  /** Null: the file does not name its asset. `network`: a column whose text exchanges glue behind the ticker. */
  symbol: { column: string; network?: string; inCapitals?: true } | null;
  fee?: FeeRule;
  txHash?: string;
  from?: string;
  to?: string;
  description?: string;
}

/** What was got for what was given. The fee is on top of both. */
export interface TradeRule {
  kind: 'trade';
  received: AmountColumns;
  sent: AmountColumns;
  fee?: AmountColumns;
  description?: string;
}

/** A column-map profile: how the CSV files of one source are read. */
export interface CsvProfile extends ImportProfile {
  /** What may part the cells; the first is the usual one. */
  delimiters: readonly string[];
  decimalMark: DecimalMark;
  date: {
    column: string;
    /** date-fns patterns, or ISO 8601. */
    forms: readonly string[] | 'iso';
    zone: TimeZone;
    /** The source does not say whose clock it used; `zone` is then a guess the person is told of. */
    zoneIsGuess?: true;
  };
  /** Whether the thing happened: words in capitals. Any other word makes the row wait as failed. */
  status?: { column: string; happened: readonly string[]; didNot: readonly string[] };
  /** Assets a file without an asset column can be in, to be found in the file's name. */
  symbolsInFileName?: readonly string[];
  rows: MovementRule | TradeRule;
}

const genericRows: MovementRule = {
  kind: 'movement',
  type: { by: 'name_or_sign', column: 'type' },
  quantity: 'quantity',
  symbol: { column: 'asset' },
  fee: { column: 'fee', symbol: 'fee_asset' },
  txHash: 'tx_hash',
  from: 'from',
  to: 'to',
  description: 'description',
};

/** The shape we ask people to bring their own files in. `price` is kept with the raw row and not used. */
const generic: CsvProfile = {
  id: 'generic',
  name: 'Generic, decimal point',
  version: 2,
  columns: ['date', 'asset', 'quantity'],
  delimiters: [',', '\t', ';', '|'],
  decimalMark: 'point',
  date: { column: 'date', forms: 'iso', zone: 'UTC' },
  rows: genericRows,
};

/** What a spreadsheet in most of Europe saves; goes before `generic` for files with semicolons. */
const genericComma: CsvProfile = {
  ...generic,
  id: 'generic_comma',
  name: 'Generic, decimal comma',
  delimiters: [';'],
  decimalMark: 'comma',
};

/**
 * `fee` is on top of `amount` in the coin moved: every file seen has 0 there, and the accounting core keeps an
 * exchange's withdrawal fee as a row of its own.
 */
const pionexTransfers: CsvProfile = {
  id: 'pionex_transfers',
  name: 'Pionex deposits and withdrawals',
  version: 2,
  columns: ['date(UTC+0)', 'tx_type', 'amount', 'coin', 'network', 'txid', 'fee'],
  delimiters: [','],
  decimalMark: 'point',
  date: { column: 'date(UTC+0)', forms: ['M/d/yyyy H:mm', 'M/d/yyyy H:mm:ss', 'yyyy-MM-dd HH:mm:ss'], zone: 'UTC' },
  rows: {
    kind: 'movement',
    type: { by: 'word', column: 'tx_type', words: { DEPOSIT: 1, WITHDRAW: 2, WITHDRAWAL: 2 } },
    quantity: 'amount',
    symbol: { column: 'coin', network: 'network' },
    fee: { column: 'fee', symbol: null },
    txHash: 'txid',
  },
};

const pionexTrades: CsvProfile = {
  id: 'pionex_trades',
  name: 'Pionex trades',
  version: 2,
  columns: ['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency', 'Fee Amount', 'Fee Currency'],
  delimiters: [','],
  decimalMark: 'point',
  date: { column: 'Date', forms: ['M/d/yyyy H:mm', 'M/d/yyyy H:mm:ss', 'yyyy-MM-dd HH:mm:ss'], zone: 'UTC' },
  rows: {
    kind: 'trade',
    received: { quantity: 'Received Quantity', symbol: 'Received Currency' },
    sent: { quantity: 'Sent Quantity', symbol: 'Sent Currency' },
    fee: { quantity: 'Fee Amount', symbol: 'Fee Currency' },
    description: 'Tag',
  },
};

/**
 * Trezor Suite, first form of its export. `Total` leaves the fee out in both directions. SENT: the account gives
 * Total to the other side and Fee to the miners. RECV: the account gets Total; Fee is what the sender paid, not ours.
 */
const trezor: CsvProfile = {
  id: 'trezor',
  name: 'Trezor Suite',
  version: 2,
  columns: ['Date & Time', 'Type', 'Transaction ID', 'Addresses', 'Fee', 'Total'],
  delimiters: [';', ','],
  decimalMark: 'point',
  date: { column: 'Date & Time', forms: ['M/d/yyyy, h:mm:ss a'], zone: 'UTC', zoneIsGuess: true },
  symbolsInFileName: ['BTC', 'LTC', 'BCH', 'BTG', 'DASH', 'DGB', 'DOGE', 'NMC', 'VTC', 'ZEC', 'ETH', 'ETC', 'XRP', 'ADA', 'SOL'],
  rows: {
    kind: 'movement',
    type: { by: 'word', column: 'Type', words: { RECV: 1, SENT: 2 } },
    quantity: 'Total',
    symbol: null,
    fee: { column: 'Fee', symbol: null, paidOn: [2] },
    txHash: 'Transaction ID',
    to: 'Addresses',
  },
};

const bitbankStatus = { column: 'ステータス', happened: ['DONE'], didNot: ['FAILED', 'CANCELED', 'CANCELLED', 'REJECTED'] };
const bitbankDate = { column: '日時', forms: ['yyyy/MM/dd HH:mm:ss', 'yyyy/M/d H:mm'], zone: 'JST' } as const;

/** bitbank's clock is Japan's. Tickers come in small letters. */
const bitbankDeposits: CsvProfile = {
  id: 'bitbank_deposits',
  name: 'bitbank deposits',
  version: 2,
  columns: ['コイン', '日時', '数量', 'ネットワーク', 'アドレス', 'Txid', 'ステータス'],
  delimiters: [','],
  decimalMark: 'point',
  date: bitbankDate,
  status: bitbankStatus,
  rows: {
    kind: 'movement',
    type: { by: 'fixed', typeId: 1 },
    quantity: '数量',
    symbol: { column: 'コイン', inCapitals: true },
    txHash: 'Txid',
    to: 'アドレス',
  },
};

/** 手数料, the fee, is on top of 数量, the quantity: older files give the sum of both as the total. */
const bitbankWithdrawals: CsvProfile = {
  ...bitbankDeposits,
  id: 'bitbank_withdrawals',
  name: 'bitbank withdrawals',
  columns: ['コイン', '日時', '数量', '手数料', 'ラベル', 'ネットワーク', 'アドレス', 'Txid', 'ステータス'],
  rows: {
    kind: 'movement',
    type: { by: 'fixed', typeId: 2 },
    quantity: '数量',
    symbol: { column: 'コイン', inCapitals: true },
    fee: { column: '手数料', symbol: null },
    txHash: 'Txid',
    to: 'アドレス',
    description: 'ラベル',
  },
};

/** `Price` is what was paid in all, not the price of one coin. */
const coincheckBuys: CsvProfile = {
  id: 'coincheck_buys',
  name: 'Coincheck buys',
  version: 2,
  columns: ['ID', 'Amount', 'Price', 'Trading Currency', 'Original Currency', 'Progress', 'Time'],
  delimiters: [','],
  decimalMark: 'point',
  date: { column: 'Time', forms: ["yyyy-MM-dd HH:mm:ss 'UTC'"], zone: 'UTC' },
  status: { column: 'Progress', happened: ['COMPLETED'], didNot: ['CANCELED', 'CANCELLED', 'FAILED'] },
  rows: {
    kind: 'trade',
    received: { quantity: 'Amount', symbol: 'Trading Currency' },
    sent: { quantity: 'Price', symbol: 'Original Currency' },
  },
};

/** The fee is on top of the amount of the period; no fee is written `--`. */
const binanceAutoinvest: CsvProfile = {
  id: 'binance_autoinvest',
  name: 'Binance Auto-Invest',
  version: 2,
  columns: ['Auto-Invest Date(UTC)', 'Holding Coin', 'Amount per period', 'Trading Fee', 'Units', 'From', 'Status'],
  delimiters: [','],
  decimalMark: 'point',
  date: { column: 'Auto-Invest Date(UTC)', forms: ['M/d/yyyy H:mm', 'yyyy-MM-dd HH:mm', 'yyyy-MM-dd HH:mm:ss'], zone: 'UTC' },
  status: { column: 'Status', happened: ['SUCCESS'], didNot: ['FAILED', 'FAILURE'] },
  rows: {
    kind: 'trade',
    received: { quantity: 'Units', symbol: null },
    sent: { quantity: 'Amount per period', symbol: null },
    fee: { quantity: 'Trading Fee', symbol: null },
    description: 'From',
  },
};

/** All profiles; of two that fit a header equally well the earlier is taken. */
export const profiles: readonly CsvProfile[] = [
  genericComma,
  generic,
  pionexTrades,
  pionexTransfers,
  trezor,
  bitbankDeposits,
  bitbankWithdrawals,
  coincheckBuys,
  binanceAutoinvest,
];
