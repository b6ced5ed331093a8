import type { AuditChange } from '#domain/audit-words.ts';

/** Fields told in a row; the others are in its details. */
const shown = 2;

/** Both sides of a field, the old one struck out; a side without a row says nothing. */
export function Sides({ before, after }: Pick<AuditChange, 'before' | 'after'>) {
  return (
    <>
      {before === null ? null : (
        <>
          <span className="sr-only">was </span>
          <del className="text-muted">
            <bdi>{before}</bdi>
          </del>
        </>
      )}
      {before === null || after === null ? null : <span aria-hidden="true"> → </span>}
      {after === null ? null : (
        <>
          <span className="sr-only">{before === null ? ' is ' : ', is now '}</span>
          <ins className="text-ink no-underline">
            <bdi>{after}</bdi>
          </ins>
        </>
      )}
    </>
  );
}

/** The first fields of a change, and how many more there are. */
export function ChangeWords({ changes }: { changes: readonly AuditChange[] }) {
  const more = changes.length - shown;
  return (
    // what is read out alone lies within the box that clips it, or it would make the page wider
    <span className="figures break-words sm:relative sm:line-clamp-2">
      {changes.slice(0, shown).map((change, index) => (
        <span key={change.field}>
          {index === 0 ? '' : '; '}
          <span className="text-muted">{change.label} </span>
          <Sides {...change} />
        </span>
      ))}
      {more > 0 ? <span className="text-muted">{`; ${more} more`}</span> : null}
    </span>
  );
}
