import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { mostHashes, notFound, readHashes } from '#domain/hash-list.ts';
import { useGridAnswer } from '#app/screens/transactions/use-grid-query.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { EditorFrame } from './editor-frame.tsx';
import type { FilterDesk } from './filter-desk.ts';

/** Not-found ones shown; Copy gives them all. */
const shown = 100;

function NotFound({ hashes }: { hashes: readonly string[] }) {
  const all = hashes.join('\n');
  return (
    <div className="border-t border-line px-3 py-2">
      <div className="flex items-center justify-between text-grid">
        <span className="font-semibold">{hashes.length.toLocaleString('en-US')} not found</span>
        <CopyButton text={all} label="those not found" />
      </div>
      <ul aria-label="Not found" className="max-h-40 overflow-y-auto font-mono text-small break-all text-soft">
        {hashes.slice(0, shown).map((hash) => (
          <li key={hash} className="py-0.5">
            {hash}
          </li>
        ))}
        {hashes.length > shown ? (
          <li className="py-0.5 text-muted">{(hashes.length - shown).toLocaleString('en-US')} more: copy them</li>
        ) : null}
      </ul>
    </div>
  );
}

/** A pasted column of hashes or ids to look for, and which of them no row has. */
export function HashEditor({ desk, close }: { desk: FilterDesk; close: () => void }) {
  const { hashes, source, onHashes, hashDraft, onHashDraft } = desk;
  const { result, isStale } = useGridAnswer(source);
  const id = useId();
  const isOver = useRef(false);
  const [text, setText] = useState(() => hashDraft ?? hashes.join('\n'));
  const reading = readHashes(text);
  const count = reading.ok ? reading.hashes.length : 0;
  const lost = result && !isStale ? notFound(hashes, result.missing) : [];
  const apply = (): boolean => {
    onHashDraft(reading.ok ? null : text);
    if (reading.ok && reading.hashes.join() !== hashes.join()) onHashes(reading.hashes);
    return reading.ok;
  };
  const finish = (): void => {
    if (!apply()) return;
    isOver.current = true;
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      isOver.current = true;
      onHashDraft(null);
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish();
  };
  return (
    <EditorFrame label="Hashes or ids">
      <div className="flex flex-col gap-2 px-3 pb-3" onKeyDown={onKeyDown}>
        <textarea
          autoFocus
          aria-label="Hashes or ids, one a line"
          aria-describedby={id}
          aria-invalid={reading.ok ? undefined : true}
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={(event) => {
            const isLeft = !event.currentTarget.closest('[data-editor]')?.contains(event.relatedTarget);
            if (isLeft && !isOver.current) apply();
          }}
          placeholder={`Paste a column: up to ${mostHashes.toLocaleString('en-US')} hashes or row ids`}
          className="w-full resize-y rounded border border-control bg-surface px-2 py-1 font-mono text-small text-ink aria-invalid:border-bad"
        />
        <div className="flex items-center justify-between gap-2">
          <p id={id} role="status" className={`text-small ${reading.ok ? 'text-muted' : 'text-bad'}`}>
            {reading.ok
              ? count === 0
                ? 'Lines, commas and quotes are fine'
                : `${count.toLocaleString('en-US')} to look for`
              : reading.message}
          </p>
          <Button look="primary" size="small" disabled={!reading.ok} onClick={finish} title="Ctrl+Enter">
            {count === 0 && hashes.length > 0 ? 'Remove' : 'Look for them'}
          </Button>
        </div>
      </div>
      {lost.length > 0 ? <NotFound hashes={lost} /> : null}
    </EditorFrame>
  );
}
