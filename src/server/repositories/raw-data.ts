import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { ImportAnswer } from '#contract/raw-data.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { rawData, transactions } from '#server/database/tables/transactions.ts';
import type { ParsedFile, ParsedRow, TransactionDraft } from '#server/imports/imported-row.ts';
import { namedFailures } from '#server/imports/named-failures.ts';
import { contentHash } from '#server/imports/row-keys.ts';
import { type FoundSecurity, securitiesOfSymbols } from './custodian-securities.ts';
import { type Viewer, visibleEntityIds } from './visibility.ts';

/** Rows written by one statement. */
const chunkSize = 500;
interface Place {
  account_id: string;
  entity_id: string;
  custodian_id: string;
}

interface ImportOptions {
  place: Place;
  file: ParsedFile;
  fileName: string;
  now: number;
}

type TransactionRow = typeof transactions.$inferInsert;
type RawRow = typeof rawData.$inferInsert;

/** What is held of the file's rows already: by key and content, its id and status. */
async function heldRows(
  db: Db,
  accountId: string,
  rows: readonly ParsedRow[],
): Promise<{ id: string; natural_key: string; content_hash: string; status: string }[]> {
  const keys = JSON.stringify(rows.map((row) => row.naturalKey));
  return rowsOf(
    db,
    sql`select r.id::text as id, r.natural_key, r.content_hash, r.status from raw_data r
      where r.account_id = ${accountId}::uuid and r.natural_key in (select jsonb_array_elements_text(${keys}::jsonb))
      order by r.created_at, r.id`,
  );
}

function transactionOf(
  draft: TransactionDraft,
  row: ParsedRow,
  rawId: string,
  groupIds: Map<string, string>,
  found: FoundSecurity,
  { place, now }: ImportOptions,
): TransactionRow {
  const isDollar = found.is_dollar;
  if (draft.group !== null && !groupIds.has(draft.group)) groupIds.set(draft.group, uuidv7({ msecs: now }));
  return {
    ...place,
    id: uuidv7({ msecs: now }),
    security_id: found.security_id,
    custodian_security_id: found.custodian_security_id,
    trx_type_id: draft.trxTypeId,
    trx_date: new Date(draft.trxDate),
    quantity: draft.quantity,
    price: isDollar ? '1' : null,
    usd_value: isDollar ? draft.quantity : null,
    fee_quantity: draft.feeQuantity,
    tx_hash: draft.txHash,
    from_address: draft.fromAddress,
    to_address: draft.toAddress,
    description: draft.description,
    trade_group_id: draft.group === null ? null : (groupIds.get(draft.group) ?? null),
    unpriced_trx: !isDollar,
    is_unidentified: found.security_id === null,
    natural_key: `${row.naturalKey}:${draft.key}`,
    raw_data_id: rawId,
  };
}

/** Writes transactions by their natural key: a row read again in another wording replaces what it made before. */
async function writeTransactions(db: Db, rows: readonly TransactionRow[]): Promise<void> {
  const excluded = (name: string) => sql.raw(`excluded.${name}`);
  for (let start = 0; start < rows.length; start += chunkSize) {
    await db
      .insert(transactions)
      .values(rows.slice(start, start + chunkSize))
      .onConflictDoUpdate({
        target: [transactions.account_id, transactions.natural_key],
        targetWhere: sql`natural_key is not null`,
        set: {
          security_id: excluded('security_id'),
          custodian_security_id: excluded('custodian_security_id'),
          trx_type_id: excluded('trx_type_id'),
          trx_date: excluded('trx_date'),
          quantity: excluded('quantity'),
          price: excluded('price'),
          usd_value: excluded('usd_value'),
          fee_quantity: excluded('fee_quantity'),
          tx_hash: excluded('tx_hash'),
          from_address: excluded('from_address'),
          to_address: excluded('to_address'),
          description: excluded('description'),
          unpriced_trx: excluded('unpriced_trx'),
          is_unidentified: excluded('is_unidentified'),
          raw_data_id: excluded('raw_data_id'),
          version: sql`${transactions.version} + 1`,
        },
      });
  }
}

/**
 * Writes a read file into an account: every row is kept as raw data with its status, good rows become transactions, bad ones
 * keep their reason. A row held already with the same content is left alone, so importing a file twice changes nothing.
 */
export async function importRows(db: Db, options: ImportOptions): Promise<ImportAnswer> {
  const { place, file, fileName, now } = options;
  // one import per account at a time: two at once would both find a row missing
  await db.execute(sql`select 1 from accounts where id = ${place.account_id}::uuid for update`);
  const held = await heldRows(db, place.account_id, file.rows);
  const heldExactly = new Map(held.map((row) => [`${row.natural_key} ${row.content_hash}`, row]));
  const latest = new Map(held.map((row) => [row.natural_key, row.id]));
  const symbols = file.rows.flatMap((row) => (row.result.ok ? row.result.drafts.map((draft) => draft.symbol) : []));
  const found = await securitiesOfSymbols(db, place.custodian_id, symbols);

  const raws: RawRow[] = [];
  const made: TransactionRow[] = [];
  const healed: string[] = [];
  let unchanged = 0;
  let standing = 0;
  for (const row of file.rows) {
    const hash = contentHash(row.payload);
    const same = heldExactly.get(`${row.naturalKey} ${hash}`);
    const isLatest = same !== undefined && latest.get(row.naturalKey) === same.id;
    if (same && isLatest && (same.status === 'PROCESSED' || !row.result.ok)) {
      if (row.result.ok) unchanged += 1;
      else if (same.status === 'PROCESSED') standing += 1;
      continue;
    }
    const rawId = same?.id ?? uuidv7({ msecs: now });
    // read again better than before, or corrected back to what it once was: the kept row counts again
    if (same && row.result.ok) healed.push(same.id);
    if (!same) {
      raws.push({
        id: rawId,
        account_id: place.account_id,
        source: file.profileId === null ? file.format : `${file.format}:${file.profileId}`,
        parser_version: file.parserVersion,
        natural_key: row.naturalKey,
        content_hash: hash,
        supersedes: latest.get(row.naturalKey) ?? null,
        file_name: fileName,
        row_number: row.rowNumber,
        payload: { ...row.payload, _text: row.text },
        status: row.result.ok ? 'PROCESSED' : 'PROCESSING_ERROR',
        error: row.result.ok ? null : row.result.reason,
        created_at: new Date(now),
      });
    }
    const groupIds = new Map<string, string>();
    for (const draft of row.result.ok ? row.result.drafts : []) {
      const security = found.get(draft.symbol);
      if (security) made.push(transactionOf(draft, row, rawId, groupIds, security, options));
    }
  }
  for (let start = 0; start < raws.length; start += chunkSize) await db.insert(rawData).values(raws.slice(start, start + chunkSize));
  for (const id of healed)
    await db
      .update(rawData)
      .set({ status: 'PROCESSED', error: null, parser_version: file.parserVersion, created_at: new Date(now) })
      .where(eq(rawData.id, id));
  // the row with the entity's counts is changed once, as the last thing: whoever decides on rows there meanwhile does not wait for all of it
  await db.execute(sql`set local tieout.counted = 'off'`);
  await writeTransactions(db, made);
  await db.execute(sql`set local tieout.counted = 'on'`);
  if (made.length > 0)
    await db.execute(
      sql`update entity_worklists set version = version + 1 where id = (select entity_id from accounts where id = ${place.account_id}::uuid)`,
    );
  const doubt =
    standing === 0 ? [] : [`Rows refused now that an earlier version read; check the transactions it made of them: ${standing}`];
  return answerOf({ ...file, warnings: [...doubt, ...file.warnings] }, fileName, unchanged, made);
}

function answerOf(file: ParsedFile, fileName: string, unchanged: number, made: readonly TransactionRow[]): ImportAnswer {
  const failures = file.rows.flatMap((row) => (row.result.ok ? [] : [{ row: row.rowNumber, reason: row.result.reason, text: row.text }]));
  const dates = made.map((row) => row.trx_date.getTime()).sort((a, b) => a - b);
  const [first, last] = [dates[0], dates.at(-1)];
  return {
    file_name: fileName,
    format: file.format,
    profile_id: file.profileId,
    processed: file.rows.length,
    ok: file.rows.length - failures.length,
    failed: failures.length,
    unchanged,
    failures: namedFailures(failures),
    warnings: file.warnings,
    first_date: first === undefined ? null : new Date(first).toISOString(),
    last_date: last === undefined ? null : new Date(last).toISOString(),
  };
}

export interface RawDataQuery {
  account_id?: string | undefined;
  is_processed?: boolean | undefined;
  skip: number;
  limit: number;
}

/** Raw rows, newest first, of the accounts the viewer may see. */
export async function listRawData(db: Db, viewer: Viewer, query: RawDataQuery) {
  const rows = await db
    .select({
      id: rawData.id,
      account_id: rawData.account_id,
      source: rawData.source,
      natural_key: rawData.natural_key,
      status: rawData.status,
      error: rawData.error,
      file_name: rawData.file_name,
      row_number: rawData.row_number,
      created_at: rawData.created_at,
    })
    .from(rawData)
    .where(
      and(
        sql`${rawData.account_id} in (select a.id from accounts a where a.entity_id in (${visibleEntityIds(viewer, 'raw_data_read')}))`,
        query.account_id === undefined ? undefined : eq(rawData.account_id, toUuid(query.account_id)),
        query.is_processed === undefined ? undefined : sql`(${rawData.status} = 'PROCESSED') = ${query.is_processed}`,
      ),
    )
    .orderBy(sql`${rawData.created_at} desc`, sql`${rawData.id} desc`)
    .limit(query.limit)
    .offset(query.skip);
  return rows.map((row) => ({ ...row, status: row.status as 'PROCESSED', created_at: row.created_at.toISOString() }));
}
