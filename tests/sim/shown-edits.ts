import { mutationNamed } from '#contract/mutations.ts';
import { fieldsChangedBy, isChangeAlone, rowOfEdit } from '#replica/edited-fields.ts';
import { type Fields, isSameValue } from '#replica/merge.ts';
import { isOfNewerBuild } from '#replica/newer-builds.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { foldRows, type MarkedRow } from '#replica/overlay.ts';
import type { MadeNoun } from '#replica/reducers.ts';
import type { SimDevice } from './sim-device.ts';
import type { World } from './world.ts';

const nouns = ['saved_views', 'organizations', 'clients', 'entities', 'archived_assets'] as const satisfies readonly MadeNoun[];

/** States in which the screen has what the person said: nobody refused it. */
const refused: ReadonlySet<string> = new Set(['refused', 'paused_permission']);

function isNotShown(edit: OutboxRow, row: Fields | undefined, isHeld: boolean): boolean {
  if (mutationNamed(edit.name).removes) return row !== undefined;
  // what changes a row has none to change where that is out of sight
  if (!row) return isHeld || edit.name.startsWith('create');
  const said = edit.input as Fields;
  return fieldsChangedBy(edit).some((name) => name in said && !isSameValue(row[name], said[name]));
}

function hiddenOf(noun: (typeof nouns)[number], device: SimDevice, edits: readonly OutboxRow[]): string | null {
  const last = new Map<string, OutboxRow>();
  for (const edit of edits) {
    const about = rowOfEdit(edit);
    if (about?.noun !== noun || refused.has(edit.state) || isOfNewerBuild(edit)) continue;
    // a change of what one before it takes away leaves it gone
    const before = last.get(about.id);
    const isGone = before !== undefined && mutationNamed(before.name).removes !== undefined && isChangeAlone(edit);
    if (!isGone) last.set(about.id, edit);
  }
  if (last.size === 0) return null;
  const held = device.disk.peek<MarkedRow<typeof noun>>(device.rowsName, noun);
  const shown = new Map(foldRows(noun, held, edits).map((row) => [row.id, row as unknown as Fields]));
  const ids = new Set(held.map(({ id }) => id));
  for (const [id, edit] of last)
    if (isNotShown(edit, shown.get(id), ids.has(id)))
      return `edit ${edit.id} (${edit.name}, ${edit.state}) is not in what ${device.name} shows`;
  return null;
}

/** An edit that waits, was accepted or is on its way, and that the screen does not have, in words; null where there is none. */
export function hiddenEdit(world: World, device: SimDevice): string | null {
  const edits = world.pending(device);
  for (const noun of nouns) {
    const hidden = edits.length === 0 ? null : hiddenOf(noun, device, edits);
    if (hidden !== null) return hidden;
  }
  return null;
}
