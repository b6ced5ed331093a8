import type { GrantedPermission, Role } from '#contract/roles.ts';
import { type Grant, grantLines } from '#domain/role-grants.ts';

/** The names of the nouns stay in sight where the table is wider than the screen. */
const nameCell = 'sticky left-0 bg-surface pr-3 text-left font-normal whitespace-nowrap';

const words: Record<Grant, string> = { write: 'Read and write', read: 'Read', none: '–' };

/** What roles grant, a line for each noun of the permission keys. */
export function GrantsTable({ roles, granted }: { roles: readonly Role[]; granted: readonly GrantedPermission[] }) {
  const lines = grantLines(
    granted,
    roles.map(({ id }) => id),
  );
  const head = 'px-3 pb-1.5 font-medium whitespace-nowrap';
  return (
    <div className="overflow-x-auto" role="region" aria-label="What each role grants" tabIndex={0}>
      <table aria-label="Permissions" className="text-grid">
        <thead>
          <tr className="text-left text-small text-muted">
            <th className={`${head} sticky left-0 bg-surface pl-0`}>Permission</th>
            {roles.map(({ id, name }) => (
              <th key={id} className={head}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="h-8 border-t border-line">
            <th scope="row" className={nameCell}>
              Sees without assignment
            </th>
            {roles.map(({ id, sees_whole_organization: seesWhole }) => (
              <td key={id} className="px-3 whitespace-nowrap">
                {seesWhole ? 'Every client' : '–'}
              </td>
            ))}
          </tr>
          {lines.map(({ noun, label, grants }) => (
            <tr key={noun} className="group h-8 border-t border-line hover:bg-hover">
              <th scope="row" className={`${nameCell} group-hover:bg-hover`}>
                {label}
              </th>
              {grants.map((grant, index) => (
                <td key={roles[index]?.id} className={`px-3 whitespace-nowrap ${grant === 'write' ? 'font-medium' : 'text-soft'}`}>
                  {words[grant]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
