/** A transaction of an OFX file by tag name; a blank value leaves the tag out. */
export interface OfxRow {
  TRNTYPE?: string;
  DTPOSTED?: string;
  TRNAMT?: string;
  FITID?: string;
  NAME?: string;
  MEMO?: string;
  /** Further tags as they should stand. */
  extra?: string;
}

export interface OfxFile {
  rows?: OfxRow[];
  /** `sgml`: leaves without closing tags; `sgml_closed`: with them; `xml`: OFX 2. */
  form?: 'sgml' | 'sgml_closed' | 'xml';
  between?: string;
  charset?: string;
  currency?: string;
  account?: { bank: string; id: string } | { card: string };
  balance?: { amount: string; asOf: string };
}

const usual: OfxRow = { TRNTYPE: 'DEBIT', DTPOSTED: '20240105120000', TRNAMT: '-12.50', FITID: 'A1', NAME: 'Corner shop' };

function ofxHead(form: OfxFile['form'], charset: string): string {
  return form === 'xml'
    ? '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>\n'
    : `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:${charset}\nCOMPRESSION:NONE\n\n`;
}

/** One statement, from `<STMTRS>` or `<CCSTMTRS>` to its end. */
export function ofxStatement({
  rows = [usual],
  form = 'sgml',
  between = '\n',
  currency = 'USD',
  account = { bank: '111', id: '222' },
  balance,
}: OfxFile): string {
  const leaf = (name: string, value: string | undefined) =>
    value ? [form === 'sgml' ? `<${name}>${value}` : `<${name}>${value}</${name}>`] : [];
  const transaction = ({ extra, ...tags }: OfxRow) => [
    '<STMTTRN>',
    ...Object.entries(tags).flatMap(([name, value]) => leaf(name, value)),
    ...(extra ? [extra] : []),
    '</STMTTRN>',
  ];
  const isCard = 'card' in account;
  const from = isCard
    ? ['<CCACCTFROM>', ...leaf('ACCTID', account.card), '</CCACCTFROM>']
    : ['<BANKACCTFROM>', ...leaf('BANKID', account.bank), ...leaf('ACCTID', account.id), '</BANKACCTFROM>'];
  const tail = balance ? ['<LEDGERBAL>', ...leaf('BALAMT', balance.amount), ...leaf('DTASOF', balance.asOf), '</LEDGERBAL>'] : [];
  const list = [
    '<BANKTRANLIST>',
    ...leaf('DTSTART', '20240101'),
    ...rows.map((row) => ({ ...usual, ...row })).flatMap(transaction),
    '</BANKTRANLIST>',
  ];
  const tag = isCard ? 'CCSTMTRS' : 'STMTRS';
  return [`<${tag}>`, ...leaf('CURDEF', currency), ...from, ...list, ...tail, `</${tag}>`].join(between);
}

/** A whole OFX file with one bank statement, or the statements given. */
export function ofxFile(file: OfxFile = {}, statements: string[] = [ofxStatement(file)]): string {
  return `${ofxHead(file.form, file.charset ?? '1252')}<OFX><BANKMSGSRSV1>${statements.join('')}</BANKMSGSRSV1></OFX>`;
}

/** A CSV file; cells go in as they stand, so a test quotes what it wants quoted. */
export function csvFile(header: string[], rows: string[][], delimiter = ',', lineEnd = '\n'): string {
  return [header, ...rows].map((cells) => cells.join(delimiter) + lineEnd).join('');
}

export const csvHeaders = {
  pionexTrades: ['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency', 'Fee Amount', 'Fee Currency', 'Tag'],
  pionexTransfers: ['date(UTC+0)', 'tx_type', 'amount', 'coin', 'network', 'txid', 'fee'],
  trezor: ['Date & Time', 'Type', 'Transaction ID', 'Addresses', 'Fee', 'Total'],
  bitbankDeposits: ['コイン', '日時', '数量', 'ネットワーク', 'アドレス', 'Txid', 'ステータス'],
  bitbankWithdrawals: ['コイン', '日時', '数量', '手数料', 'ラベル', 'ネットワーク', 'アドレス', 'Txid', 'ステータス'],
  coincheckBuys: ['ID', 'Amount', 'Price', 'Trading Currency', 'Original Currency', 'Progress', 'Time'],
  binanceAutoinvest: ['Auto-Invest Date(UTC)', 'Holding Coin', 'Amount per period', 'Trading Fee', 'Units', 'From', 'Status'],
  generic: ['date', 'type', 'asset', 'quantity', 'fee', 'fee_asset', 'tx_hash', 'from', 'to', 'description'],
};

/** Text as the bytes of a file. `latin1` writes Windows-1252 for the letters both have. */
export function bytesOf(text: string, encoding: 'utf8' | 'utf16le' | 'latin1' = 'utf8'): Uint8Array {
  return new Uint8Array(Buffer.from(text, encoding));
}
