import type { ImportFormat } from '#contract/raw-data.ts';
import type { TransactionTypeId } from '#contract/transaction-codes.ts';

/** A transaction a row asks for. The account, the security behind the ticker and the price are the writer's to find. */
export interface TransactionDraft {
  /** Unique within the row. The row's natural key and this make the transaction's key. */
  key: 'main' | 'sell' | 'fee';
  /** The ticker as the file has it, `USD` or `BTC`, without the network some exchanges glue on. */
  symbol: string;
  trxTypeId: TransactionTypeId;
  /** ISO 8601 in UTC with milliseconds. */
  trxDate: string;
  /** Exact positive decimal; the sign follows from the type. */
  quantity: string;
  /**
   * A fee that is already within `quantity`, for show. A fee that moves the holding by itself is a draft of its own
   * (`fee`) and is not repeated here, so that no sum can count it twice. No reader of today meets the former.
   */
  feeQuantity: string | null;
  feeSymbol: string | null;
  txHash: string | null;
  fromAddress: string | null;
  toAddress: string | null;
  description: string | null;
  /** The same for all drafts of one event (the sides and the fee of a trade, a withdrawal and its fee); null when alone. */
  group: string | null;
}

/** What became of a row. No drafts: the row is understood and moved nothing, such as a withdrawal that failed. */
export type RowResult = { ok: true; drafts: TransactionDraft[] } | Refusal;

export interface ParsedRow {
  /** CSV: the line of the file the row starts on, from 1. OFX: the transaction's place in the file, from 1. */
  rowNumber: number;
  /** The row as it stands in the file. */
  text: string;
  /** The fields as text under the file's own names, kept for ever. */
  payload: Record<string, unknown>;
  /** Unique within the file; the same when the same row is read again. */
  naturalKey: string;
  result: RowResult;
}

/** What a bank statement says of itself. */
export interface Statement {
  bankId: string | null;
  accountId: string | null;
  currency: string | null;
  /** Signed exact decimal; null when the file has none or it cannot be read. */
  ledgerBalance: string | null;
  asOf: string | null;
}

export interface ParsedFile {
  format: ImportFormat;
  profileId: string | null;
  parserVersion: number;
  rows: ParsedRow[];
  /** One for each statement of an OFX file; null for CSV. */
  statements: Statement[] | null;
  /** Whole sentences for the person who imports. */
  warnings: string[];
}

/** Why something could not be read, in plain words. */
export interface Refusal {
  ok: false;
  reason: string;
}

/** A value read from text, or why not. */
export type Reading<T> = { ok: true; value: T } | Refusal;

export type FileReading = { ok: true; file: ParsedFile } | Refusal;

export function refused(reason: string): Refusal {
  return { ok: false, reason };
}

/** Text from a file as a reason quotes it: in quotes, never longer than a line. */
export function quoted(text: string): string {
  // a pair of surrogates is never cut in half: no database text holds one alone
  return text.length > 60 ? `'${text.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…'` : `'${text}'`;
}
