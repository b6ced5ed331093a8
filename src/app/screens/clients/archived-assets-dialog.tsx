import { useState } from 'react';
import { type ArchiveState, archiveWords } from '#domain/archive-words.ts';
import { countWords } from '#domain/count-words.ts';
import type { ShownClient } from '#replica/places.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';
import { useArchiveAsset } from '#app/use-archive-asset.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { type ArchivedRow, useArchivedList } from './use-archived-list.ts';

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'archived', label: 'Archived' },
  { value: 'spam', label: 'Spam' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** Most rows listed at once; the search narrows to the others. */
const listed = 300;

interface AssetRowProps {
  row: ArchivedRow;
  isChosen: boolean;
  /** Null where the user may not unarchive. */
  onToggle: (() => void) | null;
}

function AssetRow({ row: { asset, state, ticker, name }, isChosen, onToggle }: AssetRowProps) {
  const { zone } = usePreferences();
  const words = (
    <>
      <bdi className="shrink-0 font-medium">{ticker}</bdi>
      <bdi className="min-w-0 truncate text-muted">{name}</bdi>
      <span className="ml-auto flex shrink-0 items-center gap-2 text-small text-soft">
        {asset.pending ? <EditSign mark={asset.pending} zone={zone} row={{ noun: 'archived_assets', id: asset.id }} /> : null}
        {archiveWords[state]}
      </span>
    </>
  );
  const look = 'flex min-h-9 items-center gap-2.5 border-b border-line px-1 py-1 text-grid';
  if (!onToggle) return <li className={look}>{words}</li>;
  return (
    <li>
      <label className={`${look} cursor-pointer hover:bg-hover`}>
        <input type="checkbox" checked={isChosen} onChange={onToggle} className="size-4 shrink-0 accent-primary" />
        {words}
      </label>
    </li>
  );
}

/** The assets a client keeps aside, to look through and to show again. @source specification section 2, for the titles */
export function ArchivedAssetsDialog({ client, onClose }: { client: ShownClient; onClose: () => void }) {
  const rows = useArchivedList(client.id);
  const archive = useArchiveAsset();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const wanted = text.trim().toLowerCase();
  const found = (rows ?? []).filter(
    ({ state, ticker, name }) => (kind === 'all' || state === kind) && `${ticker} ${name}`.toLowerCase().includes(wanted),
  );
  // what is out of sight is not acted on
  const shown = found.slice(0, listed);
  const picked = shown.filter(({ asset }) => chosen.has(asset.id));
  const areAllPicked = shown.length > 0 && picked.length === shown.length;
  const toggle = (id: string): void =>
    setChosen((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])));
  const bring = async (to: ArchiveState): Promise<void> => {
    const assets = picked.map(({ asset, ticker }) => ({ id: asset.security_id, ticker }));
    setChosen(new Set());
    await archive?.(client.id, assets, to);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Archived Assets"
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {archive && found.length > 0 ? (
            <>
              <Button disabled={picked.every(({ state }) => state === 'spam')} onClick={() => void bring('spam')}>
                Mark as spam
              </Button>
              <Button look="primary" disabled={picked.every(({ state }) => state === 'shown')} onClick={() => void bring('shown')}>
                Unarchive Assets
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <p className="pb-3 text-grid text-muted">
        Left out of the balances and asset pickers of <bdi className="font-medium text-soft">{client.client_name}</bdi>. Its transactions
        stay as they are.
      </p>
      {rows === undefined ? (
        <SkeletonRows rows={4} />
      ) : rows.length === 0 ? (
        <p className="pb-4 text-soft">
          Nothing is archived. Open a row in the transactions of this client, or the menu of its asset, to archive the asset or mark it as
          spam.
        </p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 pb-2">
            <div className="min-w-40 grow">
              <FindInput label="Find asset" autoFocus={false} value={text} onText={setText} />
            </div>
            <Segments label="Kind" options={kinds} value={kind} onChange={setKind} />
          </div>
          <div className="flex min-h-8 items-center justify-between border-b border-line-strong px-1 text-small text-muted">
            {archive ? (
              <label className="flex cursor-pointer items-center gap-2.5">
                <input
                  type="checkbox"
                  checked={areAllPicked}
                  disabled={found.length === 0}
                  onChange={() => setChosen(new Set(areAllPicked ? [] : shown.map(({ asset }) => asset.id)))}
                  className="size-4 accent-primary"
                />
                Select all
              </label>
            ) : (
              <span />
            )}
            <span role="status" className="figures">
              {picked.length > 0 ? `${picked.length.toLocaleString('en-US')} of ` : ''}
              {countWords(found.length, 'asset')}
            </span>
          </div>
          {found.length === 0 ? <p className="py-4 text-soft">No archived asset is like that</p> : null}
          <ul aria-label="Archived assets" className="max-h-[min(360px,45vh)] overflow-y-auto">
            {shown.map((row) => (
              <AssetRow
                key={row.asset.id}
                row={row}
                isChosen={chosen.has(row.asset.id)}
                onToggle={archive ? () => toggle(row.asset.id) : null}
              />
            ))}
            {found.length > listed ? (
              <li className="px-1 py-2 text-grid text-muted">{(found.length - listed).toLocaleString('en-US')} more: type to narrow</li>
            ) : null}
          </ul>
        </>
      )}
    </Dialog>
  );
}
