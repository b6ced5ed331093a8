import { draftKey, draftsOf, dropDraft, keepDraft, keepMoreOf } from '#replica/drafts.ts';
import type { Draft, OutboxStore } from '#replica/outbox-tables.ts';

/** Where drafts lie. */
export interface Shelf {
  outlivesPage: boolean;
  list: (form: string) => Promise<Draft[]>;
  keep: (draft: Draft) => Promise<void>;
  /** @returns false where it was taken away. */
  keepMore: (draft: Draft) => Promise<boolean>;
  drop: (key: string) => Promise<void>;
}

/** Among what only this browser knows. */
export function onDisk(outbox: OutboxStore): Shelf {
  return {
    outlivesPage: true,
    list: (form) => draftsOf(outbox, form),
    keep: (draft) => keepDraft(outbox, draft),
    keepMore: (draft) => keepMoreOf(outbox, draft),
    drop: (key) => dropDraft(outbox, key),
  };
}

/** On a shared computer: what was kept while it was none is still found, and nothing is written. */
export function onPage(kept: Map<string, Draft>, disk: Shelf): Shelf {
  const keep = async (draft: Draft): Promise<void> => void kept.set(draft.form_key, draft);
  return {
    outlivesPage: false,
    list: async (form) => {
      const ofForm = [...kept.values()].filter(({ form_key: key }) => key.startsWith(draftKey(form, '')));
      return [...ofForm.toReversed(), ...(await disk.list(form))];
    },
    keep,
    keepMore: (draft) => keep(draft).then(() => true),
    drop: async (key) => {
      kept.delete(key);
      await disk.drop(key);
    },
  };
}
