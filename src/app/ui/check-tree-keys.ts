/** A branch or a leaf of a tree that is ticked. */
export interface CheckNode {
  id: string;
  label: string;
  /** Said after the label, quieter. */
  note?: string;
  check: 'all' | 'some' | 'none';
  /** Can be ticked and unticked. */
  isOpenToChange: boolean;
  children: readonly CheckNode[];
}

/** A node that is in sight, with where it stands. */
export interface TreeLine {
  node: CheckNode;
  level: number;
  place: number;
  of: number;
  parent: string | null;
}

/** What a key does in a tree that is ticked. */
export type TreeDeed =
  | { kind: 'focus'; id: string }
  | { kind: 'unfold'; ids: string[]; isExpanded: boolean }
  | { kind: 'toggle'; node: CheckNode };

/**
 * What a key does at a line of the tree; null for one that does nothing here.
 * @source WAI-ARIA authoring practices, tree view pattern
 */
export function checkKeys(key: string, lines: readonly TreeLine[], at: number, expanded: ReadonlySet<string>): TreeDeed | null {
  const line = lines[at];
  if (!line) return null;
  const { node, parent } = line;
  const focus = (target: TreeLine | undefined): TreeDeed | null => (target ? { kind: 'focus', id: target.node.id } : null);
  const isOpen = expanded.has(node.id);
  const hasChildren = node.children.length > 0;
  switch (key) {
    case 'ArrowDown':
      return focus(lines[at + 1]);
    case 'ArrowUp':
      return focus(lines[at - 1]);
    case 'Home':
      return focus(lines[0]);
    case 'End':
      return focus(lines.at(-1));
    case 'ArrowRight':
      if (!hasChildren) return null;
      return isOpen ? focus(lines[at + 1]) : { kind: 'unfold', ids: [node.id], isExpanded: true };
    case 'ArrowLeft':
      if (hasChildren && isOpen) return { kind: 'unfold', ids: [node.id], isExpanded: false };
      return parent === null ? null : { kind: 'focus', id: parent };
    case ' ':
    case 'Enter':
      return { kind: 'toggle', node };
    case '*': {
      const siblings = lines.filter((one) => one.parent === parent && one.node.children.length > 0);
      return { kind: 'unfold', ids: siblings.map((one) => one.node.id), isExpanded: true };
    }
    default: {
      if (key.length !== 1) return null;
      const wanted = key.toLowerCase();
      const after = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
      return focus(after.find((one) => one.node.label.toLowerCase().startsWith(wanted)));
    }
  }
}
