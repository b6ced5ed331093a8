import { useLiveQuery } from 'dexie-react-hooks';
import { securitiesOf } from '#replica/nouns.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useReplica } from '#app/use-replica.ts';
import type { ValueNames } from './compared-words.ts';

/** What the values in a conflict are told by, kept live. */
export function useValueNames(): ValueNames {
  const replica = useReplica();
  const { zone, numbers } = usePreferences();
  const tickers = useLiveQuery(async () => new Map((await securitiesOf(replica)).map(({ id, ticker }) => [id, ticker])), [replica]);
  return { zone, numbers, ticker: (id) => tickers?.get(id) };
}
