import type { ComparedField, Conflict } from '#replica/conflicts.ts';
import { isSameValue } from '#replica/merge.ts';
import { SideHeads } from '#app/ui/side-heads.tsx';
import { comparedLabel, comparedText, fateWords, type ValueNames } from './compared-words.ts';

const columns = [
  ['Field', 'w-[22%]'],
  ['When you edited', 'w-[26%]'],
  ['Mine', 'w-[26%]'],
  ['Theirs', 'w-[26%]'],
] as const;
const cell = 'py-1.5 pr-3 align-top break-words';

/** A side's value; what a side left alone is not said twice. */
function Value({ field, side, names }: { field: ComparedField; side: 'mine' | 'theirs'; names: ValueNames }) {
  if (isSameValue(field[side], field.base)) return <span className="text-muted">Unchanged</span>;
  return <bdi className={`figures ${field.isOpen ? 'font-semibold' : ''}`}>{comparedText(field.name, field[side], names)}</bdi>;
}

interface ConflictTableProps {
  conflict: Conflict;
  /** What is compared. */
  title: string;
  names: ValueNames;
}

/** Both changes beside what the row was when the edit was made, a line for each field that differs. */
export function ConflictTable({ conflict, title, names }: ConflictTableProps) {
  const { base, mine, theirs, fields } = conflict;
  const whole = (side: object | null, word: string) =>
    side === null ? (
      <td rowSpan={fields.length} className={`${cell} font-semibold`}>
        {word}
      </td>
    ) : null;
  return (
    <table className="w-full max-w-[880px] table-fixed text-grid">
      <caption className="sr-only">What differs: {title}</caption>
      <SideHeads columns={columns} />
      <tbody>
        {fields.map((field, index) => {
          const fate = fateWords(field);
          return (
            <tr key={field.name} className="border-b border-line">
              <th scope="row" className={`${cell} text-left font-medium`}>
                {comparedLabel(field.name)}
                {fate === null ? null : <span className="block text-small font-normal text-muted">{fate}</span>}
              </th>
              {base === null && index === 0 ? whole(base, 'Not there') : null}
              {base === null ? null : (
                <td className={`${cell} text-soft`}>
                  <bdi className="figures">{comparedText(field.name, field.base, names)}</bdi>
                </td>
              )}
              {mine === null && index === 0 ? whole(mine, 'Deleted') : null}
              {mine === null ? null : (
                <td className={cell}>
                  <Value field={field} side="mine" names={names} />
                </td>
              )}
              {theirs === null && index === 0 ? whole(theirs, 'Deleted') : null}
              {theirs === null ? null : (
                <td className={cell}>
                  <Value field={field} side="theirs" names={names} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
