import { type OfxPiece, ofxPieces } from './ofx-tags.ts';

/** Fields by tag name; one inside a group is `GROUP.TAG`, such as `LEDGERBAL.BALAMT`. Trimmed text. */
export type OfxFields = Map<string, string>;

export interface OfxTransaction {
  fields: OfxFields;
  /** From `<STMTTRN>` to its end, as it stands. */
  text: string;
  /** The file ends inside it. */
  isCut: boolean;
}

export interface OfxStatement {
  fields: OfxFields;
  transactions: OfxTransaction[];
}

interface OfxDocument {
  statements: OfxStatement[];
  /** The closing `</OFX>` is there. */
  isWhole: boolean;
  /** Kinds of statement it holds that are not read, such as `INVSTMTRS`. */
  skipped: string[];
}

const statementTags: ReadonlySet<string> = new Set(['STMTRS', 'CCSTMTRS']);
const otherStatementTags: ReadonlySet<string> = new Set(['INVSTMTRS', 'LOANSTMTRS']);
/** Tags that hold tags which would else be taken for the statement's or the transaction's own. */
const groupTags: ReadonlySet<string> = new Set(
  'BANKACCTFROM CCACCTFROM LEDGERBAL AVAILBAL BALLIST PAYEE BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY'.split(' '),
);

interface Place {
  statement: OfxStatement | null;
  row: { fields: OfxFields; start: number } | null;
  group: string | null;
  leaf: string | null;
}

function endRow(place: Place, text: string, end: number, isCut = false): void {
  if (place.row) place.statement?.transactions.push({ fields: place.row.fields, text: text.slice(place.row.start, end).trim(), isCut });
  place.row = null;
  place.group = null;
}

function onOpen(place: Place, document: OfxDocument, piece: OfxPiece, text: string): void {
  place.leaf = piece.value;
  if (statementTags.has(piece.value)) {
    endRow(place, text, piece.start);
    place.statement = { fields: new Map(), transactions: [] };
    document.statements.push(place.statement);
  } else if (otherStatementTags.has(piece.value)) {
    endRow(place, text, piece.start);
    place.statement = null;
    if (!document.skipped.includes(piece.value)) document.skipped.push(piece.value);
  } else if (piece.value === 'STMTTRN') {
    // one that was never closed ends where the next begins
    endRow(place, text, piece.start);
    if (place.statement) place.row = { fields: new Map(), start: piece.start };
  } else if (groupTags.has(piece.value)) {
    place.group = piece.value;
  }
}

function onClose(place: Place, document: OfxDocument, piece: OfxPiece, text: string): void {
  place.leaf = null;
  if (piece.value === place.group) place.group = null;
  if (piece.value === 'STMTTRN') endRow(place, text, piece.end);
  if (piece.value === 'BANKTRANLIST') endRow(place, text, piece.start);
  if (statementTags.has(piece.value)) {
    endRow(place, text, piece.start);
    place.statement = null;
  }
  if (piece.value === 'OFX') {
    endRow(place, text, piece.start);
    document.isWhole = true;
  }
}

function onText(place: Place, piece: OfxPiece): void {
  const fields = place.row?.fields ?? place.statement?.fields;
  const words = piece.value.trim().replace(/\s+/g, ' ');
  if (!fields || place.leaf === null || words === '') return;
  // a group tag with text of its own is a leaf after all
  if (place.leaf === place.group) place.group = null;
  const name = place.group === null ? place.leaf : `${place.group}.${place.leaf}`;
  const before = fields.get(name);
  fields.set(name, before === undefined ? words : `${before} ${words}`);
}

/**
 * Finds the bank and credit card statements of an OFX text and their transactions, with or without closing tags.
 * @param mostRows where to stop; one more than that many is then in the answer.
 * @source OFX 1.0.2 and 2.2, sections 11.4 (bank) and 11.4.4 (credit card)
 */
export function ofxStatements(text: string, mostRows: number): OfxDocument {
  const document: OfxDocument = { statements: [], isWhole: false, skipped: [] };
  const place: Place = { statement: null, row: null, group: null, leaf: null };
  let rows = 0;
  for (const piece of ofxPieces(text)) {
    if (piece.kind === 'text') onText(place, piece);
    else if (piece.kind === 'close') onClose(place, document, piece, text);
    else onOpen(place, document, piece, text);
    if (piece.kind === 'open' && piece.value === 'STMTTRN') rows += 1;
    if (rows > mostRows + 1) break;
  }
  endRow(place, text, text.length, true);
  return document;
}
