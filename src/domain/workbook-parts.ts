import { columnName, xmlText } from './sheet-cells.ts';

// The parts of a workbook that do not grow with its rows. @source ECMA-376, part 1, SpreadsheetML

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A column of a sheet; the width is in characters. */
export interface SheetColumn {
  width: number;
}

export interface SheetLayout {
  name: string;
  columns: readonly SheetColumn[];
  /** The first row is a heading that stays while one scrolls. */
  hasHeading: boolean;
}

/** What stands before the rows of a sheet. */
export function sheetStart({ columns, hasHeading }: SheetLayout, isFirst: boolean): string {
  const pane = hasHeading ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  const cols = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('');
  return `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols}</cols><sheetData>`;
}

/** What stands after them. `filteredRows`: how many rows, the heading among them, a filter is offered for; 0 for none. */
export function sheetEnd({ columns }: SheetLayout, filteredRows: number): string {
  const filter = filteredRows === 0 ? '' : `<autoFilter ref="A1:${columnName(columns.length - 1)}${filteredRows}"/>`;
  return `</sheetData>${filter}</worksheet>`;
}

export function sheetPath(no: number): string {
  return `xl/worksheets/sheet${no}.xml`;
}

// negative in parentheses, as on the screen; the escaped slash is one in every country
const formats = [
  'mm\\/dd\\/yyyy\\ hh:mm',
  '#,##0.00_);\\(#,##0.00\\)',
  '#,##0.00######_);\\(#,##0.00######\\)',
  '#,##0.00################_);\\(#,##0.00################\\)',
] as const;
const right = '<alignment horizontal="right"/>';

/** Cell styles in the order of `looks`. */
const cellStyles = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1"/>',
  ...formats.map((_, i) => `<xf numFmtId="${164 + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`),
  '<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>',
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">${right}</xf>`,
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>',
];

const styles = `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats
  .map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${xmlText(code)}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cellStyles.length}">${cellStyles.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function contentTypes(sheets: number): string {
  const part = (path: string, type: string): string => `<Override PartName="/${path}" ContentType="${types}.${type}+xml"/>`;
  const all = [
    part('xl/workbook.xml', 'sheet.main'),
    ...Array.from({ length: sheets }, (_, i) => part(sheetPath(i + 1), 'worksheet')),
    part('xl/styles.xml', 'styles'),
    part('xl/sharedStrings.xml', 'sharedStrings'),
  ];
  return `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${all.join('')}</Types>`;
}

function relationships(targets: readonly (readonly [string, string])[]): string {
  const all = targets.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${relations}/${type}" Target="${target}"/>`);
  return `<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
}

/** The parts that name all others, by their paths. */
export function closingParts(sheetNames: readonly string[], sharedTexts: string): (readonly [string, string])[] {
  const sheets = sheetNames.map((name, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('');
  const related = sheetNames.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const);
  return [
    ['xl/sharedStrings.xml', sharedTexts],
    ['xl/styles.xml', styles],
    ['xl/workbook.xml', `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', relationships([...related, ['styles', 'styles.xml'], ['sharedStrings', 'sharedStrings.xml']])],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypes(sheetNames.length)],
  ];
}
