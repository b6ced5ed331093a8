/** The keys of the filter bar, as they are written, and what they do. */
export const filterKeys = {
  search: { keys: '/', does: 'Search' },
  add: { keys: 'Alt+F', does: 'Add a filter' },
  open: { keys: 'Enter', does: 'On a filter: change it; in its editor: apply' },
  restore: { keys: 'Escape', does: 'In an editor: back to what it was' },
  remove: { keys: 'Delete', does: 'On a filter: take it away' },
  move: { keys: 'ArrowLeft ArrowRight', does: 'From filter to filter' },
} as const;

/** Whether a key press asks for a new filter. On a Mac that key with Alt writes another letter, so its place counts. */
export function isAddFilterKey(event: Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): boolean {
  return event.code === 'KeyF' && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
}
