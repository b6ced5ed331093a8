import type { Query, QueryClient } from '@tanstack/react-query';
import type { Replica } from '#replica/open.ts';
import { type Sight, watchSight } from '#replica/watch.ts';
import { letGoOfUrls } from './object-urls.ts';
import type { Session } from './session/session.ts';
import { organizationOfKey, referenceKey } from './query-keys.ts';

// What the server answered and pages hold in memory, beside the copy: it goes with the right to see it, and with whoever asked.

type Which = (query: Pick<Query, 'queryKey'>) => boolean;

/** Lets go at once of some answers, those on their way among them; what is on screen is asked for again, and shows nothing meanwhile. */
function forget(queries: QueryClient, which: Which): void {
  queries.removeQueries({ type: 'inactive', predicate: which });
  void queries.resetQueries({ predicate: which });
}

/** Lets go of all that was answered but what says nothing of anybody's records. */
export function forgetAnswers(queries: QueryClient): void {
  forget(queries, ({ queryKey }) => queryKey[0] !== referenceKey);
  letGoOfUrls();
}

/** What organizations have set is kept for as long as they are in sight. */
function forgetUnseen(queries: QueryClient, { organizations }: Sight): void {
  forget(queries, ({ queryKey }) => {
    const id = organizationOfKey(queryKey);
    return id !== null && !organizations.has(id);
  });
}

/** Keeps answers no longer than what they are about may be seen, whichever worker lets go of that. @returns how to stop. */
export function forgetWithSight(queries: QueryClient, replica: Replica): () => void {
  let before: Sight | null = null;
  return watchSight(replica, (sight) => {
    const isPurged = before !== null && before.purges !== sight.purges;
    const isLess = before === null || [...before.organizations].some((id) => !sight.organizations.has(id));
    before = sight;
    if (isPurged) forgetAnswers(queries);
    if (isPurged || isLess) forgetUnseen(queries, sight);
  });
}

/** What one person was answered is gone before anybody else, or nobody, is signed in here, in whichever tab they left. */
export function forgetWithPerson(queries: QueryClient, session: Pick<Session, 'user' | 'subscribe'>): () => void {
  let who = session.user()?.id;
  return session.subscribe(() => {
    const next = session.user()?.id;
    if (next === who) return;
    who = next;
    queries.clear();
    letGoOfUrls();
  });
}
