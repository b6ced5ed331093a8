import { type CsvRecord, csvRecords, isFit, withPlainLineEnds } from './csv-records.ts';
import { type FileReading, type ParsedRow, quoted, type Reading, refused } from './imported-row.ts';
import { readProfileRow } from './profile-rows.ts';
import { type CsvProfile, profiles } from './profiles.ts';
import { contentHash, keyOf, ordinals } from './row-keys.ts';

interface CsvOptions {
  /** The profile to read by; found from the header when left out. */
  profileId?: string;
  /** The asset of a file that does not name one. */
  defaultSymbol?: string;
  /** Where an asset may stand when neither the file nor `defaultSymbol` names it. */
  fileName: string;
  rowLimit: number;
}

/** A longer first line is no header: it would be cut up once for every profile. */
const longestHeader = 20_000;

interface Layout {
  profile: CsvProfile;
  delimiter: string;
  header: string[];
}

/** A header cell as it is compared: small letters, blanks and underscores as one blank. */
function bare(cell: string): string {
  return cell
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();
}

function headerOf(line: string, delimiter: string): string[] {
  return csvRecords(line, delimiter, 0)[0]?.cells ?? [];
}

function lacking(profile: CsvProfile, header: readonly string[]): string[] {
  const found = new Set(header.map(bare));
  return profile.columns.filter((column) => !found.has(bare(column)));
}

function listed(cells: readonly string[]): string {
  const shown = cells.slice(0, 30).map(quoted).join(', ');
  return cells.length > 30 ? `${shown} and ${cells.length - 30} more` : shown;
}

/** The header as cut by the delimiter that makes most cells of it: what a person would call its columns. */
function columnsFound(line: string, delimiters: readonly string[]): string {
  const cuts = delimiters.map((delimiter) => headerOf(line, delimiter));
  return listed(cuts.toSorted((left, right) => right.length - left.length)[0] ?? []);
}

function givenLayout(line: string, profileId: string): Reading<Layout> {
  const profile = profiles.find(({ id }) => id === profileId);
  if (!profile) return refused(`There is no import profile ${quoted(profileId)}; there are ${profiles.map(({ id }) => id).join(', ')}`);
  for (const delimiter of profile.delimiters) {
    const header = headerOf(line, delimiter);
    if (lacking(profile, header).length === 0) return { ok: true, value: { profile, delimiter, header } };
  }
  const header = headerOf(line, profile.delimiters[0] ?? ',');
  return refused(
    `The file has not the columns that ${quoted(profile.name)} needs: ${listed(lacking(profile, header))} missing. Columns found: ${columnsFound(line, profile.delimiters)}`,
  );
}

/** The profile with most columns in the header; it must have all that it needs. */
function foundLayout(line: string): Reading<Layout> {
  const fitting = profiles.flatMap((profile) =>
    profile.delimiters
      .map((delimiter) => ({ profile, delimiter, header: headerOf(line, delimiter) }))
      .filter(({ header }) => lacking(profile, header).length === 0),
  );
  const [best] = fitting.toSorted((left, right) => right.profile.columns.length - left.profile.columns.length);
  if (best) return { ok: true, value: best };
  return refused(
    `The first line fits no import profile. Columns found: ${columnsFound(line, [',', ';', '\t', '|'])}. Profiles known: ${profiles.map(({ id }) => id).join(', ')}`,
  );
}

/** Names for the cells of a row, each once: a header may repeat a name or leave one blank. */
function payloadNames(header: readonly string[]): string[] {
  const nth = ordinals();
  return header.map((cell, at) => {
    const name = cell === '' ? `column ${at + 1}` : cell;
    const ordinal = nth(name);
    return ordinal === 1 ? name : `${name} (${ordinal})`;
  });
}

function payloadOf(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(cells.map((cell, at) => [names[at] ?? `column ${at + 1}`, cell]));
}

/** The asset of the account, else the one the exporter put in the file's name: `export-btc-20220512.csv`. */
function assetOfFile(profile: CsvProfile, { defaultSymbol, fileName }: CsvOptions): string | null {
  const words = fileName.toUpperCase().split(/[^A-Z0-9]+/);
  return defaultSymbol ?? profile.symbolsInFileName?.find((symbol) => words.includes(symbol)) ?? null;
}

function needsAsset(profile: CsvProfile): boolean {
  return profile.rows.kind === 'movement' && profile.rows.symbol === null;
}

/** Why a row cannot be set against the header. */
function misfit({ cells, isUnclosed }: CsvRecord, width: number): string | null {
  if (isUnclosed) return 'A quote opens in this row and is not closed where it should be';
  return isFit(cells, width) ? null : `The row has ${cells.length} columns, the header has ${width}`;
}

/** Reads the rows of one file; keys and places of columns are kept between rows. */
function rowReader({ profile, header }: Layout, defaultSymbol: string | null): (record: CsvRecord) => ParsedRow {
  const names = payloadNames(header);
  const bareHeader = header.map(bare);
  const places = new Map<string, number>();
  const placeOf = (column: string): number => {
    const known = places.get(column) ?? bareHeader.indexOf(bare(column));
    places.set(column, known);
    return known;
  };
  const nth = ordinals();
  return (record) => {
    // cells beyond the header are empty, or the row is bad; a few say enough
    const payload = payloadOf(names, record.cells.slice(0, header.length + 20));
    const hash = contentHash(payload);
    const naturalKey = keyOf(['csv', profile.id, hash, String(nth(hash))]);
    const cell = (column: string): string => (record.cells[placeOf(column)] ?? '').trim();
    const problem = misfit(record, header.length);
    const result = problem === null ? readProfileRow(profile, { cell, group: naturalKey, defaultSymbol }) : refused(problem);
    return { rowNumber: record.line, text: record.text, payload, naturalKey, result };
  };
}

function warningsOf(profile: CsvProfile, rows: readonly ParsedRow[]): string[] {
  const warnings: string[] = [];
  const still = rows.filter(({ result }) => result.ok && result.drafts.length === 0).length;
  if (still > 0) warnings.push(`Rows that say that nothing happened (failed or cancelled), kept without a transaction: ${still}`);
  if (profile.date.zoneIsGuess) warnings.push(`The file does not say its time zone; times were taken as ${profile.date.zone}`);
  return warnings;
}

/**
 * Reads a CSV file by a column-map profile, given or found from its header. Bad rows carry a reason and the others go
 * on; the file is refused when no profile fits, its asset is nowhere named, or it has more than `rowLimit` rows.
 * Keys are profile, content of the row and its ordinal among equals: two equal rows are both kept, and the same
 * file read again gives the same keys. Cells without text do not count, so a new column leaves old keys alone.
 */
export function readCsv(text: string, options: CsvOptions): FileReading {
  const plain = withPlainLineEnds(text);
  const line = plain.split('\n', 200).find((candidate) => candidate.trim() !== '');
  if (line === undefined) return refused('The file has no header line');
  if (line.length > longestHeader) return refused('The first line of the file is too long to be the names of columns');
  const layout = options.profileId === undefined ? foundLayout(line) : givenLayout(line, options.profileId);
  if (!layout.ok) return layout;
  const { profile, delimiter, header } = layout.value;
  const asset = assetOfFile(profile, options);
  if (needsAsset(profile) && asset === null) {
    return refused(
      `A ${profile.name} file does not name its asset. Import it into an account with one asset, or put the ticker in the file's name as ${profile.name} does: export-btc-2022.csv`,
    );
  }
  const [, ...records] = csvRecords(plain, delimiter, header.length).filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (records.length > options.rowLimit) return refused(`The file has more than ${options.rowLimit} rows; split it into smaller ones`);
  const rows = records.map(rowReader(layout.value, asset));
  return {
    ok: true,
    file: {
      format: 'csv',
      profileId: profile.id,
      parserVersion: profile.version,
      rows,
      statements: null,
      warnings: warningsOf(profile, rows),
    },
  };
}
