/** One thing keys do, as the list of shortcuts tells it and as what hears the keys reads it. `Mod` is Ctrl, on a Mac Cmd. */
export interface Shortcut {
  keys: readonly string[];
  words: string;
}

/** Shortcuts by what they do. */
export type ShortcutTable = Readonly<Record<string, Shortcut>>;

export interface Stroke {
  key: string;
  /** The key's place on the keyboard. */
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The letter of a stroke. On a Mac a letter with Alt writes another sign, so there its place counts. */
function letterOf({ key, code = '', altKey }: Stroke): string {
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  return (altKey && place ? place : key).toLowerCase();
}

/**
 * A stroke with its modifiers as the tables write it; letters whatever the caps lock says. Of a sign such as `?` it does not count whether
 * Shift writes it: keyboards differ.
 */
export function chordOf(stroke: Stroke): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = stroke;
  const isSign = key.length === 1 && key !== ' ' && key.toLowerCase() === key.toUpperCase() && !altKey;
  const name = key === ' ' ? 'Space' : key.length === 1 ? letterOf(stroke) : key;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shiftKey && !isSign ? 'Shift+' : ''}${name}`;
}

/** What a stroke does by a table, if anything. */
export function shortcutOf<Table extends ShortcutTable>(table: Table, stroke: Stroke): (keyof Table & string) | undefined {
  const chord = chordOf(stroke);
  return Object.keys(table).find((name) => table[name]?.keys.includes(chord));
}

const plainNames: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  ContextMenu: 'Menu',
  Mod: 'Ctrl',
};
const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };

/** The keys of a chord as they are printed on a keyboard. */
export function keyNames(chord: string, isMac: boolean): string[] {
  return chord
    .split(/\+(?=.)/)
    .map((name) => (isMac ? macNames[name] : undefined) ?? plainNames[name] ?? (name.length === 1 ? name.toUpperCase() : name));
}

/** Shortcuts as `aria-keyshortcuts` has them. */
export function ariaKeys({ keys }: Shortcut): string {
  const spelt = keys.flatMap((chord) =>
    chord.startsWith('Mod+') ? [chord.replace('Mod', 'Control'), chord.replace('Mod', 'Meta')] : [chord],
  );
  return spelt.join(' ');
}
