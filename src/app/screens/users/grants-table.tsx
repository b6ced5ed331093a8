import type { GrantedPermission, Role } from '#contract/roles.ts';
import { type Grant, grantLines } from '#domain/role-grants.ts';

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
            <th className={`${head} pl-0`}>Permission</th>
            {roles.map(({ id, name }) => (
              <th key={id} className={head}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="h-8 border-t border-line">
            <th scope="row" className="pr-3 text-left font-normal whitespace-nowrap">
              Sees without assignment
            </th>
            {roles.map(({ id, sees_whole_organization: seesWhole }) => (
              <td key={id} className="px-3 whitespace-nowrap">
                {seesWhole ? 'Every client' : '–'}
              </td>
            ))}
          </tr>
          {lines.map(({ noun, label, grants }) => (
            <tr key={noun} className="h-8 border-t border-line hover:bg-hover">
              <th scope="row" className="pr-3 text-left font-normal whitespace-nowrap">
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
