import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { memo, useRef, useState } from 'react';
import type { ShownView } from '#replica/saved-views.ts';
import { useServices } from '#app/services.tsx';
import { DownIcon } from '#app/ui/icons.tsx';
import { ariaKeys } from '#app/ui/chords.ts';
import { useKey } from '#app/ui/use-key.ts';
import { keptKeyOf } from './kept-hashes.ts';
import { viewKeys } from './transaction-keys.ts';
import type { TransactionSearch } from './transaction-search.ts';
import { useChosenView } from './views/use-chosen-view.ts';
import { useSavedViews, type ViewActions } from './views/use-saved-views.ts';
import { ViewForm } from './views/view-form.tsx';
import { ViewList } from './views/view-list.tsx';
import { addressOfView, builtInViews, hasPlace, isBuiltIn, type View, viewText } from './views/view-search.ts';

interface ViewsMenuProps {
  search: TransactionSearch;
  /** What the place one is at is called. */
  place: string;
}

interface FormProps {
  views: readonly View[];
  actions: ViewActions;
  onDone: () => void;
}

const keptNote =
  'The pasted hashes of this filter are too many for an address. They stay on this device; on others the view opens without them.';

function SaveForm({ views, actions, onDone, search, place, onSaved }: FormProps & ViewsMenuProps & { onSaved: (id: string) => void }) {
  return (
    <ViewForm
      viewId={null}
      title="Save view"
      // an account is of one place
      usual={{ name: '', keepsPlace: search.account !== undefined }}
      otherNames={views.map((view) => view.name)}
      place={place}
      lengthOf={({ keepsPlace }) => viewText(search, keepsPlace).length}
      note={keptKeyOf(search) === undefined ? null : keptNote}
      onSave={async ({ name, keepsPlace }) => {
        onSaved(await actions.saveNew({ name, search: viewText(search, keepsPlace) }));
      }}
      onCancel={onDone}
    />
  );
}

function RenameForm({ views, actions, onDone, view }: FormProps & { view: ShownView }) {
  return (
    <ViewForm
      viewId={view.id}
      title="Rename view"
      usual={{ name: view.name, keepsPlace: false }}
      otherNames={views.filter((other) => other.id !== view.id).map((other) => other.name)}
      place={null}
      lengthOf={() => view.search.length}
      onSave={async ({ name }) => {
        await actions.rename(view, name);
        onDone();
      }}
      onCancel={onDone}
    />
  );
}

/** Copies the address of a view at the place one is at. */
function useLinkCopy(search: TransactionSearch): (view: View) => Promise<void> {
  const { notices } = useServices();
  const router = useRouter();
  return async (view) => {
    const { href } = router.buildLocation({ to: '/transactions', search: addressOfView(view.search, search) as TransactionSearch });
    try {
      await navigator.clipboard.writeText(new URL(href, window.location.origin).href);
      notices.notice('success', `Link to “${view.name}” copied`);
    } catch {
      notices.notice('warning', 'The browser did not allow copying');
    }
  };
}

/** The list and, in its place, the form of saving or renaming. */
function Panel({ search, place, close, ...parts }: ViewsMenuProps & { close: () => void } & ReturnType<typeof useViews>) {
  const { views, actions, chosen, isModified, choose } = parts;
  const [form, setForm] = useState<'save' | ShownView | null>(null);
  const [opensAt, setOpensAt] = useState<string | null>(null);
  const navigate = useNavigate();
  const copyLink = useLinkCopy(search);
  const common = { views: views ?? [], actions, onDone: () => setForm(null) };
  const onSaved = (id: string): void => {
    choose(id);
    close();
  };
  if (form === 'save') return <SaveForm {...common} search={search} place={place} onSaved={onSaved} />;
  if (form) return <RenameForm {...common} view={form} />;
  return (
    <ViewList
      views={views}
      chosen={chosen}
      isModified={isModified}
      opensAt={opensAt}
      onChoose={(view) => {
        choose(view.id);
        close();
        void navigate({ to: '/transactions', search: addressOfView(view.search, search) as TransactionSearch });
      }}
      onCopyLink={(view) => void copyLink(view)}
      onRename={(view) => {
        setOpensAt(view.id);
        setForm(views?.find(({ id }) => id === view.id) ?? null);
      }}
      onDelete={(view) => void actions.remove(view)}
      onLetGo={(view) => void actions.letGo(view)}
      onSaveAs={() => setForm('save')}
      onSaveChanges={(view) => {
        close();
        void actions.saveChanges(view, viewText(search, hasPlace(view.search)));
      }}
    />
  );
}

/** On a narrow screen a sign stands for the word. */
function Modified() {
  return (
    <span className="text-muted">
      <span aria-hidden="true" className="sm:hidden">
        *
      </span>
      <span className="sr-only sm:not-sr-only">modified</span>
    </span>
  );
}

function useViews(search: TransactionSearch) {
  const { views, actions } = useSavedViews();
  return { views, actions, ...useChosenView([...(views ?? []), ...builtInViews], search) };
}

/** The saved views of the list: choose one, save what one looks at, rename, delete, and copy a link. */
export const ViewsMenu = memo(function ViewsMenu({ search, place }: ViewsMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const parts = useViews(search);
  useKey(viewKeys.open, () => {
    if (button.current?.ariaExpanded !== 'true') button.current?.click();
  });
  const named = parts.chosen && !isBuiltIn(parts.chosen) ? parts.chosen : null;
  return (
    <Popover className="print:hidden">
      <PopoverButton
        ref={button}
        aria-keyshortcuts={ariaKeys(viewKeys.open)}
        title={named ? `View: ${named.name}` : 'Saved views'}
        className="inline-flex h-7 max-w-32 items-center gap-1.5 rounded border border-line-strong bg-surface px-2.5 text-grid whitespace-nowrap text-soft hover:bg-hover sm:max-w-72"
      >
        <span className={named ? 'sr-only' : ''}>Views{named ? ': ' : ''}</span>
        {named ? <bdi className="min-w-0 truncate font-semibold text-ink">{named.name}</bdi> : null}
        {named && parts.isModified ? <Modified /> : null}
        <DownIcon />
      </PopoverButton>
      <PopoverPanel
        focus
        role="dialog"
        aria-label="Saved views"
        anchor={{ to: 'bottom start', gap: 4, padding: 8 }}
        className="z-30 flex w-80 max-w-[92vw] flex-col rounded bg-raised text-ink shadow-pop"
      >
        {({ close }) => <Panel {...parts} search={search} place={place} close={() => close()} />}
      </PopoverPanel>
    </Popover>
  );
});
