import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import { needsPerson } from '#replica/mutation-states.ts';
import { useEditOf } from '#app/edit-of-row.ts';
import { PendingSign } from '#app/shell/pending-sign.tsx';
import { Button, IconButton } from '#app/ui/button.tsx';
import { ariaKeys, shortcutOf } from '#app/ui/chords.ts';
import { CheckIcon, EditIcon, LinkIcon, TrashIcon } from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { viewKeys } from '#app/screens/transactions/transaction-keys.ts';
import { viewMark } from './view-focus.ts';
import type { View } from './view-search.ts';

interface ViewRowProps {
  view: View;
  /** `at`: the address is this view's. `modified`: it was, and was changed since. */
  standing: 'at' | 'modified' | null;
  /** The row the keyboard is at: of all rows its buttons alone are reached by Tab. */
  isActive: boolean;
  /** The focus goes to it when it is drawn. */
  takesFocus: boolean;
  onActive: () => void;
  onChoose: () => void;
  onCopyLink: () => void;
  /** Null for the views everybody has. */
  own: { onRename: () => void; onDelete: () => void; onLetGo: () => void } | null;
}

const quiet =
  'opacity-0 transition-opacity duration-[120ms] group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100';

function Refusal({ view, own }: { view: View; own: NonNullable<ViewRowProps['own']> }) {
  const edit = useEditOf({ noun: 'saved_views', id: view.id });
  const isConflict = view.pending?.state === 'conflict';
  return (
    <div className="mr-1 mb-1.5 ml-7 rounded bg-warn-soft px-2.5 py-2 text-grid">
      <p>
        <span className="font-semibold text-warn">Not saved.</span>{' '}
        {isConflict ? 'It was changed elsewhere meanwhile.' : (view.pending?.detail ?? 'The server refused it.')}
      </p>
      {isConflict ? (
        <Link to="/outbox" search={{ edit: edit?.id }} className="mt-1.5 inline-block rounded-sm font-medium text-link underline">
          Choose in the outbox what holds
        </Link>
      ) : (
        <div className="mt-1.5 flex gap-2">
          <Button size="small" onClick={own.onRename}>
            Rename
          </Button>
          <Button size="small" look="quiet" onClick={own.onLetGo}>
            Discard
          </Button>
        </div>
      )}
    </div>
  );
}

function Name({ view, standing, sign }: Pick<ViewRowProps, 'view' | 'standing'> & { sign: ReactNode }) {
  return (
    <>
      <span aria-hidden="true" className={`w-3 shrink-0 ${standing === 'at' ? 'text-link' : 'invisible'}`}>
        <CheckIcon />
      </span>
      <bdi className={`min-w-0 truncate ${standing === null ? '' : 'font-semibold'}`}>{view.name}</bdi>
      {standing === 'modified' ? <span className="shrink-0 text-small text-muted">modified</span> : null}
      {sign}
    </>
  );
}

/** One view: choose it, and of one's own also rename and delete it. F2 and Delete do the latter two. */
export function ViewRow({ view, standing, isActive, takesFocus, onActive, onChoose, onCopyLink, own }: ViewRowProps) {
  const { zone } = usePreferences();
  const { pending } = view;
  const isRefused = pending !== null && needsPerson(pending.state);
  const tabIndex = isActive ? 0 : -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = shortcutOf(viewKeys, event);
    if (!own || (command !== 'rename' && command !== 'remove')) return;
    event.preventDefault();
    if (command === 'rename') own.onRename();
    else own.onDelete();
  };
  return (
    <li onFocus={onActive}>
      <div className="group flex items-center rounded-sm pr-1 focus-within:bg-hover hover:bg-hover">
        <button
          type="button"
          {...{ [viewMark]: view.id }}
          tabIndex={tabIndex}
          autoFocus={takesFocus}
          aria-current={standing === 'at' ? 'true' : undefined}
          aria-keyshortcuts={own ? `${ariaKeys(viewKeys.rename)} ${ariaKeys(viewKeys.remove)}` : undefined}
          title={view.name}
          onClick={onChoose}
          onKeyDown={onKeyDown}
          className="flex h-8 min-w-0 grow items-center gap-2 rounded-sm pl-2 text-left text-grid"
        >
          <Name view={view} standing={standing} sign={pending ? <PendingSign mark={pending} zone={zone} /> : null} />
        </button>
        {own ? (
          <IconButton label={`Rename ${view.name}`} tabIndex={tabIndex} onClick={own.onRename} className={`size-6 ${quiet}`}>
            <EditIcon />
          </IconButton>
        ) : null}
        <IconButton label={`Copy link to ${view.name}`} tabIndex={tabIndex} onClick={onCopyLink} className={`size-6 ${quiet}`}>
          <LinkIcon />
        </IconButton>
        {own ? (
          <IconButton label={`Delete ${view.name}`} tabIndex={tabIndex} onClick={own.onDelete} className={`size-6 ${quiet}`}>
            <TrashIcon />
          </IconButton>
        ) : null}
      </div>
      {own && isRefused ? <Refusal view={view} own={own} /> : null}
    </li>
  );
}
