import { useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { moveInViews } from './view-focus.ts';
import { ViewRow } from './view-row.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { builtInViews, isBuiltIn, type View } from './view-search.ts';

interface ViewListProps {
  /** The person's own views; `undefined` while they are being read. */
  views: readonly View[] | undefined;
  chosen: View | undefined;
  isModified: boolean;
  /** The view the focus goes to; null for the search, or where there is none the view one is at. */
  opensAt: string | null;
  onChoose: (view: View) => void;
  onCopyLink: (view: View) => void;
  onRename: (view: View) => void;
  onDelete: (view: View) => void;
  onLetGo: (view: View) => void;
  onSaveAs: () => void;
  onSaveChanges: (view: View) => void;
}

/** More views than this are searched. */
const mostUnsearched = 8;

function fits({ name }: View, wanted: string): boolean {
  return name.toLowerCase().includes(wanted);
}

/** All views with what one can do with each, and the two ways to save. */
export function ViewList(props: ViewListProps) {
  const { views, chosen, isModified, opensAt, onChoose, onCopyLink, onRename, onDelete, onLetGo, onSaveAs, onSaveChanges } = props;
  const [text, setText] = useState('');
  // a row that comes back while one searches must not take the focus
  const [hasSearched, setHasSearched] = useState(false);
  const [active, setActive] = useState<string | null>(opensAt ?? chosen?.id ?? null);
  const box = useRef<HTMLDivElement>(null);
  const wanted = text.trim().toLowerCase();
  const usual = builtInViews.filter((view) => fits(view, wanted));
  const own = (views ?? []).filter((view) => fits(view, wanted));
  const found = [...usual, ...own];
  const activeId = found.find((view) => view.id === active)?.id ?? found[0]?.id;
  const isSearched = (views?.length ?? 0) > mostUnsearched;
  useKeptFocus(
    box,
    found.map(({ id }) => id),
    active,
  );
  const focusId = hasSearched ? null : (opensAt ?? (isSearched ? null : activeId));
  const row = (view: View) => (
    <ViewRow
      key={view.id}
      view={view}
      standing={chosen?.id !== view.id ? null : isModified ? (isBuiltIn(view) ? null : 'modified') : 'at'}
      isActive={view.id === activeId}
      takesFocus={view.id === focusId}
      onActive={() => setActive(view.id)}
      onChoose={() => onChoose(view)}
      onCopyLink={() => onCopyLink(view)}
      own={isBuiltIn(view) ? null : { onRename: () => onRename(view), onDelete: () => onDelete(view), onLetGo: () => onLetGo(view) }}
    />
  );
  const [first] = found;
  return (
    <div ref={box} onKeyDown={moveInViews} className="flex min-h-0 flex-col">
      {isSearched ? (
        <div className="border-b border-line p-2">
          <FindInput
            label="Find a view"
            autoFocus={opensAt === null}
            value={text}
            onText={(next) => {
              setText(next);
              setHasSearched(true);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && wanted !== '' && first) onChoose(first);
            }}
          />
        </div>
      ) : null}
      <div className="max-h-[min(60vh,420px)] min-h-0 overflow-y-auto p-1">
        <ul aria-label="Views everybody has">{usual.map(row)}</ul>
        {usual.length > 0 ? <hr className="my-1 border-line" /> : null}
        <ul aria-label="My views">{own.map(row)}</ul>
        {views?.length === 0 ? (
          <p className="px-2 py-2 text-grid text-muted">
            Your own views will be here: a filter and an order under a name, on all your devices, with or without a network.
          </p>
        ) : null}
        {found.length === 0 ? <p className="px-2 py-3 text-grid text-muted">No view is called that</p> : null}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line p-2">
        {chosen && isModified && !isBuiltIn(chosen) ? (
          <Button size="small" className="min-w-0" title={`Save changes to ${chosen.name}`} onClick={() => onSaveChanges(chosen)}>
            Save changes
          </Button>
        ) : null}
        <Button size="small" look="primary" onClick={onSaveAs}>
          Save as...
        </Button>
      </div>
    </div>
  );
}
