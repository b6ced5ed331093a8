import { personNames } from './people.ts';
import type { Block } from './matrix.ts';

const preface = `# Who may do what

Every call of the contract, made through the whole server as everybody about everything. Read and agreed line by line: the test of this
name fails where the product answers otherwise, and a new call is new lines to agree to.

There are two organizations with two clients of two entities each. The superuser is a member of none. Accountant, bookkeeper, reporter
and auditor are assigned to one client of their own organization, *one entity* is an accountant assigned to one entity of it; *two roles*
is an auditor there and the administrator of the foreign organization; *no role* is signed in and was the administrator of an
organization that is deleted; *nobody* is not signed in. A line is what the call is about. What is deleted, an entity of the first
client, a client with its entity, and an organization with all of it, nobody sees any more; *emptied* is an organization whose clients
are deleted. A ticket is somebody's, and whoever administers all organizations its writer was in sees it, too.

- *ok*: done, or the answer holds the rows. *empty*: a list without them. *no effect*: accepted, and nothing was changed.
- *denied* (403): no role grants it anywhere. *not found* (404): not in sight, or not granted there. *signed out* (401).
- *invalid* (422), *conflict* (409): granted, and against a rule of the call itself or of what is there already.
`;

function rowOf(cells: readonly string[], widths: readonly number[]): string {
  return `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
}

function textOf({ title, words }: Block): string {
  const rows = [['', ...personNames], ...[...words].map(([line, row]) => [line, ...row])];
  const widths = ['foreign organization', ...personNames].map((name) => Math.max(name.length, 'signed out'.length));
  const [head = [], ...body] = rows.map((cells) => rowOf(cells, widths));
  return [
    `## ${title}`,
    '',
    head,
    rowOf(
      widths.map((width) => '-'.repeat(width)),
      widths,
    ),
    ...body,
    '',
  ]
    .flat()
    .join('\n');
}

/** The reviewed table as text. */
export function tableText(blocks: readonly Block[]): string {
  return [preface, ...blocks.map(textOf)].join('\n');
}
