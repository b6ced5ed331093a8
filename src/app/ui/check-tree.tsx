import { type KeyboardEvent, useRef, useState } from 'react';
import { checkKeys, type CheckNode, type TreeLine } from './check-tree-keys.ts';

interface CheckTreeProps {
  label: string;
  nodes: readonly CheckNode[];
  expanded: ReadonlySet<string>;
  onExpanded: (expanded: ReadonlySet<string>) => void;
  onToggle: (id: string) => void;
}

function linesOf(nodes: readonly CheckNode[], expanded: ReadonlySet<string>, level = 1, parent: string | null = null): TreeLine[] {
  return nodes.flatMap((node, index) => [
    { node, level, place: index + 1, of: nodes.length, parent },
    ...(expanded.has(node.id) ? linesOf(node.children, expanded, level + 1, node.id) : []),
  ]);
}

function Box({ check, isOpenToChange }: Pick<CheckNode, 'check' | 'isOpenToChange'>) {
  const look = check === 'none' ? 'border-control' : 'border-primary bg-primary text-on-primary';
  return (
    <span
      aria-hidden="true"
      className={`inline-flex size-4 shrink-0 items-center justify-center rounded-sm border ${look} ${isOpenToChange ? '' : 'opacity-60'}`}
    >
      {check === 'none' ? null : (
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
          <path d={check === 'all' ? 'M2.5 6.5l2.5 2.5 4.5-5.5' : 'M3 6h6'} />
        </svg>
      )}
    </span>
  );
}

function Caret({ isExpanded }: { isExpanded: boolean }) {
  return (
    <svg
      aria-hidden="true"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      className={isExpanded ? 'rotate-90' : ''}
    >
      <path d="M4.5 2.5L8 6l-3.5 3.5" />
    </svg>
  );
}

const checked = { all: true, some: 'mixed', none: false } as const;

/** A tree whose nodes are ticked: arrows move and open, Space ticks, letters find. One stop of the Tab key. */
export function CheckTree({ label, nodes, expanded, onExpanded, onToggle }: CheckTreeProps) {
  const lines = linesOf(nodes, expanded);
  const [activeId, setActive] = useState<string | null>(null);
  const active = lines.some(({ node }) => node.id === activeId) ? activeId : (lines[0]?.node.id ?? null);
  const items = useRef(new Map<string, HTMLElement>());
  const setExpanded = (ids: readonly string[], isExpanded: boolean): void => {
    const others = [...expanded].filter((id) => !ids.includes(id));
    onExpanded(new Set(isExpanded ? [...others, ...ids] : others));
  };
  const toggle = ({ id, isOpenToChange }: CheckNode): void => {
    if (isOpenToChange) onToggle(id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const deed = checkKeys(
      event.key,
      lines,
      lines.findIndex(({ node }) => node.id === active),
      expanded,
    );
    if (!deed) return;
    event.preventDefault();
    if (deed.kind === 'toggle') toggle(deed.node);
    else if (deed.kind === 'unfold') setExpanded(deed.ids, deed.isExpanded);
    else {
      setActive(deed.id);
      items.current.get(deed.id)?.focus();
    }
  };
  return (
    <div role="tree" aria-label={label} aria-multiselectable="true" onKeyDown={onKeyDown} className="text-grid">
      {lines.map(({ node, level, place, of }) => {
        const isExpanded = expanded.has(node.id);
        return (
          <div
            key={node.id}
            ref={(element) => {
              if (element) items.current.set(node.id, element);
              else items.current.delete(node.id);
            }}
            role="treeitem"
            aria-level={level}
            aria-posinset={place}
            aria-setsize={of}
            aria-checked={checked[node.check]}
            aria-disabled={node.isOpenToChange ? undefined : true}
            aria-expanded={node.children.length > 0 ? isExpanded : undefined}
            tabIndex={node.id === active ? 0 : -1}
            onFocus={() => setActive(node.id)}
            onClick={() => toggle(node)}
            style={{ paddingLeft: `${(level - 1) * 24 + 4}px` }}
            className={`flex min-h-8 items-center gap-2 rounded pr-2 select-none hover:bg-hover ${node.isOpenToChange ? 'cursor-pointer' : ''}`}
          >
            <span
              aria-hidden="true"
              className="inline-flex size-6 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:text-ink"
              onClick={(event) => {
                event.stopPropagation();
                if (node.children.length > 0) setExpanded([node.id], !isExpanded);
              }}
            >
              {node.children.length > 0 ? <Caret isExpanded={isExpanded} /> : null}
            </span>
            <Box check={node.check} isOpenToChange={node.isOpenToChange} />
            <span className="min-w-0 truncate">
              <bdi>{node.label}</bdi>
              {node.note ? <span className="text-small text-muted"> · {node.note}</span> : null}
            </span>
          </div>
        );
      })}
    </div>
  );
}
