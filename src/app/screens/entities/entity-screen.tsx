import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '#contract/accounts.ts';
import { countWords } from '#domain/count-words.ts';
import { isAllowed } from '#domain/permissions.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import { staleAfterDays } from '#domain/worklist.ts';
import { useUser } from '#app/services.tsx';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useLook } from '#app/use-look.ts';
import { type AccountProblem, hasProblem } from '#domain/worklist.ts';
import { accountFields } from './accounts-search.ts';
import { AccountsTable } from './accounts-table.tsx';
import { BalancesPanel } from './balances-panel.tsx';
import { DeleteEntityDialog } from './delete-entity-dialog.tsx';
import { EntityDialog } from './entity-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { UnreconciledPanel } from './unreconciled-panel.tsx';
import { useEntityEdits } from './use-entity-edits.ts';
import { type EntityView, useEntity } from './use-entity.ts';

const route = getRouteApi('/_app/entities/$entityId');

const problemNames: Readonly<Record<AccountProblem, string>> = {
  unreconciled: 'not tied out',
  failed: 'last sync failed',
  stale: `no update for ${staleAfterDays} days`,
};

/** Says which of the accounts are shown, and leads back to all. */
function AccountsFilter({ entityId, problem, shown, all }: { entityId: string; problem: AccountProblem; shown: number; all: number }) {
  return (
    <p className="page-inset pb-3 text-grid">
      {shown.toLocaleString('en-US')} of {countWords(all, 'account')}: {problemNames[problem]}.{' '}
      <Link
        to="/entities/$entityId"
        params={{ entityId }}
        search={(before) => ({ ...before, accounts: undefined })}
        className="text-link underline"
      >
        Show all
      </Link>
    </p>
  );
}

function EntityPage({ view }: { view: EntityView }) {
  const { entity, client, organization, accounts, now } = view;
  const { accounts: problem, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = problem ? accounts.filter(({ account }) => hasProblem(account, problem, now)) : accounts;
  const user = useUser();
  const [importing, setImporting] = useState<Account | null>(null);
  const edits = useEntityEdits();
  useLook([entity.client_id]);
  const [open, setOpen] = useState<'update' | 'delete' | null>(null);
  const { zone } = usePreferences();
  const mayWrite = isAllowed(user, { anyOf: ['entity_write'] });
  const mayImport = isAllowed(user, { anyOf: ['raw_data_write'] });
  return (
    <>
      <PageHead
        title={entity.entity_name}
        crumbs={
          <nav aria-label="Breadcrumb">
            {[organization?.name, client?.client_name].filter(Boolean).join(' / ')} / <span aria-current="page">{entity.entity_name}</span>
          </nav>
        }
        action={
          <div className="flex flex-wrap items-center gap-2">
            {entity.pending ? <EditSign mark={entity.pending} zone={zone} row={{ noun: 'entities', id: entity.id }} /> : null}
            {mayWrite ? (
              <>
                <Button look="quiet" onClick={() => setOpen('delete')}>
                  Delete
                </Button>
                <Button onClick={() => setOpen('update')}>Update</Button>
              </>
            ) : null}
            <Link
              to="/transactions"
              search={{ entity: entity.id }}
              className="inline-flex h-9 items-center rounded bg-primary px-3.5 font-semibold text-on-primary hover:brightness-95"
            >
              Transactions
            </Link>
          </div>
        }
      />
      {isAllowed(user, { anyOf: ['account_read'] }) && entity.version > 0 ? (
        <UnreconciledPanel entityId={entity.id} clientId={entity.client_id} />
      ) : null}
      {accounts.length === 0 ? (
        <EmptyState title="No accounts yet">The accounts of this entity are listed here once they are fetched.</EmptyState>
      ) : (
        <section aria-label="Accounts" className="pt-2">
          <h2 className="page-inset pb-3 text-large font-semibold">Accounts</h2>
          {problem ? <AccountsFilter entityId={entity.id} problem={problem} shown={shown.length} all={accounts.length} /> : null}
          <AccountsTable
            accounts={shown}
            now={now}
            onImport={mayImport ? setImporting : null}
            sort={sortSteps(sort, accountFields)}
            onSort={(steps) => void navigate({ search: (before) => ({ ...before, sort: sortText(steps) }), replace: true })}
          />
        </section>
      )}
      {isAllowed(user, { anyOf: ['account_read'] }) && entity.version > 0 ? (
        <BalancesPanel entityId={entity.id} clientId={entity.client_id} />
      ) : null}
      {open === 'update' ? (
        <EntityDialog entity={entity} clientId={entity.client_id} onSave={edits.update} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'delete' ? <DeleteEntityDialog entity={entity} onClose={() => setOpen(null)} /> : null}
      {importing ? <ImportDialog key={importing.id} account={importing} onClose={() => setImporting(null)} /> : null}
    </>
  );
}

export function EntityScreen() {
  const { entityId } = route.useParams();
  const view = useEntity(entityId);
  if (view === undefined) return <SkeletonRows rows={10} />;
  if (view === null)
    return (
      <EmptyState
        title="This entity is not on this device"
        actions={
          <Link to="/home" className="font-medium text-link underline">
            Go to Home
          </Link>
        }
      >
        It was not fetched yet, or you no longer have access to it.
      </EmptyState>
    );
  // what is open or typed on the page of one entity is none of the next
  return <EntityPage key={view.entity.id} view={view} />;
}
