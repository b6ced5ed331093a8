import { useLiveQuery } from 'dexie-react-hooks';
import { v7 as uuid } from 'uuid';
import type { NewMutation } from '#replica/outbox.ts';
import { discardRefused, idForName, savedViewsOf, type ShownView } from '#replica/saved-views.ts';
import { editTitles } from '#app/edit-titles.ts';
import { useServices } from '#app/services.tsx';
import { useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';
import { useTold } from '#app/use-told.ts';
import type { View } from './view-search.ts';

const list = 'transactions';

/** What one can do with views. Everything shows at once and reaches the server when there is a network. */
export interface ViewActions {
  /** Saves a new view and says its id; throws where it could not be kept, so that the form keeps what was typed. */
  saveNew: (view: Pick<View, 'name' | 'search'>) => Promise<string>;
  /** @param view as it was when the form opened. */
  rename: (view: ShownView, name: string) => Promise<void>;
  saveChanges: (view: View, search: string) => Promise<void>;
  /** Deletes a view and offers to undo it. */
  remove: (view: View) => Promise<void>;
  /** Lets go of what the server refused of a view. */
  letGo: (view: View) => Promise<void>;
}

/** The person's saved views of the transactions, by name; `undefined` while they are being read. */
export function useSavedViews(): { views: ShownView[] | undefined; actions: ViewActions } {
  const { clock, notices } = useServices();
  const replica = useReplica();
  const enqueue = useEnqueue();
  const told = useTold();
  const views = useLiveQuery(() => savedViewsOf(replica, list), [replica]);

  interface Edit<N extends 'saveView' | 'deleteView'> extends Pick<NewMutation<N>, 'name' | 'input' | 'title'> {
    /** The view as it was on the screen; null where there was none. */
    seen: ShownView | null;
  }
  const add = <N extends 'saveView' | 'deleteView'>(edit: Edit<N>): Promise<void> =>
    enqueue({ ...edit, id: uuid(), now: clock(), clientId: null, entityId: null });
  const seenOf = ({ id }: Pick<View, 'id'>): ShownView | null => views?.find((view) => view.id === id) ?? null;
  const put = ({ id, name, search }: Pick<View, 'id' | 'name' | 'search'>, seen: ShownView | null): Promise<void> => {
    const input = { id, name, list, search } as const;
    return add({ name: 'saveView', input, title: (was, said) => editTitles.saveView(said, was), seen });
  };

  const said = async (work: Promise<unknown>): Promise<void> => void (await told(work));

  const remove = async (view: View): Promise<void> => {
    await add({ name: 'deleteView', input: { id: view.id }, title: `Delete view: ${view.name}`, seen: seenOf(view) });
    notices.notice('info', `View “${view.name}” deleted`, {
      label: 'Undo',
      run: () => void told(put(view, null)),
    });
  };
  return {
    views,
    actions: {
      saveNew: async ({ name, search }) => {
        const id = await idForName(replica, { list, name }, uuid());
        await put({ id, name, search }, null);
        return id;
      },
      rename: (view, name) => put({ ...view, name }, view),
      saveChanges: (view, search) => said(put({ ...view, search }, seenOf(view))),
      remove: (view) => said(remove(view)),
      letGo: (view) => said(discardRefused(replica, view.id, clock())),
    },
  };
}
