import type { ReactNode } from 'react';

/** Says what will be here, and offers what to do about it. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <h2 className="text-large font-semibold text-ink">{title}</h2>
      {children ? <div className="max-w-[52ch] text-muted">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

/** Grey bars where a table's rows will be. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-b border-line px-4">
          <span className="bones h-3 w-48" />
          <span className="bones h-3 w-32" />
          <span className="bones ml-auto h-3 w-20" />
        </div>
      ))}
    </div>
  );
}

/** One title, its breadcrumb above and its one action at the right. */
export function PageHead({ title, crumbs, action }: { title: string; crumbs?: ReactNode; action?: ReactNode }) {
  return (
    <div className="page-inset flex flex-wrap items-end justify-between gap-x-4 gap-y-2 pt-5 pb-4">
      <div className="min-w-0">
        {crumbs ? <div className="mb-0.5 truncate text-grid text-muted">{crumbs}</div> : null}
        <h1 className="truncate text-title font-semibold">{title}</h1>
      </div>
      <div className="contents print:hidden">{action}</div>
    </div>
  );
}
