import type { TransactionTypeId } from '#contract/transaction-codes.ts';
import { negated } from '#domain/amounts.ts';
import { type FileReading, type ParsedRow, quoted, type RowResult, refused, type Statement } from './imported-row.ts';
import { type OfxFields, type OfxStatement, type OfxTransaction, ofxStatements } from './ofx-statements.ts';
import { readAmount } from './read-amount.ts';
import { readOfxMoment } from './read-moment.ts';
import { contentHash, keyOf, ordinals } from './row-keys.ts';

/** Grows when the same file would give other drafts. */
const ofxParserVersion = 2;

const notOfx = 'This is not an OFX file: it has no <OFX> tag';

/** Whether text is OFX by its first lines, whatever the file is called. */
export function looksLikeOfx(text: string): boolean {
  return /^\s*OFXHEADER\s*:|<\?OFX\s|<OFX[\s>]/i.test(text.slice(0, 2000));
}

/**
 * The type by the bank's word and the sign of the amount; the sign decides the direction, since OFX amounts are signed.
 * A fee or dividend taken back is a plain deposit or withdrawal, for its own type would move the wrong way.
 */
function typeOf(trnType: string, isNegative: boolean): TransactionTypeId {
  if (trnType === 'INT') return isNegative ? 9 : 15;
  if (isNegative) return trnType === 'FEE' || trnType === 'SRVCHG' ? 24 : 2;
  return trnType === 'DIV' ? 12 : 1;
}

/** Name and memo as one line; a memo that repeats the name stands alone. */
function descriptionOf(fields: OfxFields): string | null {
  const name = fields.get('NAME') ?? fields.get('PAYEE.NAME') ?? '';
  const memo = fields.get('MEMO') ?? '';
  if (memo === '' || name.includes(memo)) return name || null;
  return memo.includes(name) ? memo : `${name} · ${memo}`;
}

function resultOf({ fields, isCut }: OfxTransaction, statement: OfxStatement, defaultSymbol: string | undefined): RowResult {
  if (isCut) return refused('The file ends in the middle of this transaction');
  const amount = readAmount('Amount', fields.get('TRNAMT') ?? '', 'either');
  if (!amount.ok) return amount;
  if (amount.value === '0') return refused('Amount is zero: nothing moved');
  const posted = readOfxMoment(fields.get('DTPOSTED') ?? '', 'Posting date');
  if (!posted.ok) return posted;
  // CURRENCY: the amount is in that currency; ORIGCURRENCY: it is already converted
  const symbol = fields.get('CURRENCY.CURSYM') ?? statement.fields.get('CURDEF') ?? defaultSymbol;
  if (symbol === undefined) return refused('The statement does not say its currency');
  if (symbol.length > 64) return refused(`Currency ${quoted(symbol)} is too long to be one`);
  const isNegative = amount.value.startsWith('-');
  return {
    ok: true,
    drafts: [
      {
        key: 'main',
        symbol,
        trxTypeId: typeOf((fields.get('TRNTYPE') ?? '').toUpperCase(), isNegative),
        trxDate: posted.value,
        quantity: isNegative ? negated(amount.value) : amount.value,
        feeQuantity: null,
        feeSymbol: null,
        txHash: null,
        fromAddress: null,
        toAddress: null,
        description: descriptionOf(fields),
        group: null,
      },
    ],
  };
}

function statementOf({ fields }: OfxStatement): Statement {
  const balance = readAmount('Balance', fields.get('LEDGERBAL.BALAMT') ?? '', 'either');
  const asOf = readOfxMoment(fields.get('LEDGERBAL.DTASOF') ?? '');
  return {
    bankId: fields.get('BANKACCTFROM.BANKID') ?? null,
    accountId: fields.get('BANKACCTFROM.ACCTID') ?? fields.get('CCACCTFROM.ACCTID') ?? null,
    currency: fields.get('CURDEF') ?? null,
    ledgerBalance: balance.ok ? balance.value : null,
    asOf: asOf.ok ? asOf.value : null,
  };
}

/** A row before it has its key: the bank's id for it may turn out not to be its own. */
interface KeylessRow extends Omit<ParsedRow, 'naturalKey'> {
  fitId: string;
  /** Bank, account and id; null when the bank gives no id. */
  idKey: readonly string[] | null;
  account: readonly string[];
  hash: string;
  posted: string;
}

function keylessRows(statements: readonly OfxStatement[], defaultSymbol: string | undefined): KeylessRow[] {
  let rowNumber = 0;
  return statements.flatMap((statement) => {
    const { bankId, accountId, currency } = statementOf(statement);
    const account = ['ofx', bankId ?? '', accountId ?? ''];
    return statement.transactions.map((transaction) => {
      const own = Object.fromEntries(transaction.fields);
      const payload = { ...own, BANKID: bankId, ACCTID: accountId, CURDEF: currency };
      const fitId = own.FITID ?? '';
      rowNumber += 1;
      return {
        rowNumber,
        text: transaction.text,
        payload,
        result: resultOf(transaction, statement, defaultSymbol),
        fitId,
        idKey: fitId === '' || transaction.isCut ? null : [...account, fitId],
        account,
        hash: contentHash(payload),
        posted: own.DTPOSTED ?? '',
      };
    });
  });
}

function compared(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/**
 * Gives each row its key: bank, account and FITID; without a FITID the content and its ordinal among equals.
 * One FITID on rows that differ: all are kept, the earliest under the bare id and the others with `#2`, `#3`, in the
 * order of date and content so that the order of the file makes no difference. One FITID on equal rows is one
 * transaction listed twice (OFX 2.2, 3.2.3: the id is unique within the account): kept once. Both are warned of.
 */
function withKeys(rows: readonly KeylessRow[], warnings: string[]): ParsedRow[] {
  const seenHere = ordinals();
  const listed = rows.filter((row) => row.idKey === null || seenHere(keyOf([...row.idKey, row.hash])) === 1);
  if (listed.length < rows.length)
    warnings.push(
      `Transactions listed more than once with the same id and content, taken once each: ${rows.length - listed.length} left out`,
    );
  const ordinalOf = ordinals();
  const shared = new Set<string>();
  const keys = new Map<KeylessRow, string>();
  const ordered = listed.toSorted((left, right) => compared(left.posted, right.posted) || compared(left.hash, right.hash));
  for (const row of ordered) {
    const parts = row.idKey ?? [...row.account, '', row.hash];
    const ordinal = ordinalOf(keyOf(parts));
    if (row.idKey && ordinal > 1) shared.add(row.fitId);
    keys.set(row, keyOf(row.idKey && ordinal === 1 ? parts : [...parts, `#${ordinal}`]));
  }
  if (shared.size > 0)
    warnings.push(`The bank gave one id to different transactions, which are all kept: ${[...shared].slice(0, 5).map(quoted).join(', ')}`);
  return listed.map((row) => {
    const { rowNumber, text, payload, result } = row;
    return { rowNumber, text, payload, naturalKey: keys.get(row) ?? row.hash, result };
  });
}

function contradictions(rows: readonly KeylessRow[]): number {
  return rows.filter(({ payload, result }) => {
    if (!result.ok) return false;
    const isOut = result.drafts[0]?.trxTypeId === 2;
    return (payload.TRNTYPE === 'DEBIT' && !isOut) || (payload.TRNTYPE === 'CREDIT' && isOut);
  }).length;
}

/**
 * Reads the bank and credit card statements of an OFX or QFX file, version 1 or 2. Rows that cannot be read carry
 * a reason; the file is refused when it is not OFX, holds no such statement, or has more than `rowLimit` transactions.
 */
export function readOfx(text: string, options: { defaultSymbol?: string; rowLimit: number }): FileReading {
  if (!looksLikeOfx(text)) return refused(notOfx);
  const document = ofxStatements(text, options.rowLimit);
  const keyless = keylessRows(document.statements, options.defaultSymbol);
  if (keyless.length > options.rowLimit)
    return refused(`The file has more than ${options.rowLimit} transactions; split it into smaller ones`);
  if (document.statements.length === 0) {
    if (!document.isWhole) return refused('The OFX file is cut off before its first statement');
    return refused(
      `The OFX file holds no bank or credit card statement${document.skipped.length > 0 ? `, only ${document.skipped.join(', ')}` : ''}`,
    );
  }
  const warnings: string[] = [];
  if (!document.isWhole) warnings.push('The file is cut off: it ends without </OFX>, so transactions may be missing');
  if (document.skipped.length > 0) warnings.push(`Only bank and credit card statements are read; left out: ${document.skipped.join(', ')}`);
  const contrary = contradictions(keyless);
  if (contrary > 0)
    warnings.push(`Transactions that say DEBIT or CREDIT against the sign of their amount: ${contrary}; the sign was followed`);
  const rows = withKeys(keyless, warnings);
  return {
    ok: true,
    file: {
      format: 'ofx',
      profileId: null,
      parserVersion: ofxParserVersion,
      rows,
      statements: document.statements.map(statementOf),
      warnings,
    },
  };
}
