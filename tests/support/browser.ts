import { getMe } from '#contract/session.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { anEngine, aWire, type EngineOptions, type Speaks } from './engine.ts';
import { settled } from './feed.ts';
import { type TestServer, testNow } from './server.ts';

/** Browsers of people who are signed in; `close` ends all workers and tabs that were opened on them. */
export function browsersOn(server: () => TestServer) {
  const closing: (() => Promise<void> | void)[] = [];
  return {
    /** One browser, whose wire can be cut. All are in one process, so the databases of one person's devices differ by `device`. */
    async signIn(email: string, device = '', speaks: Speaks = process.env.TEST_SPEAKS === 'specification' ? 'specification' : 'feed') {
      const signedIn = await server().signedIn(email);
      const { id } = await signedIn.call(getMe, {});
      const userId = id + device;
      // the server knows the person by their own name, whatever the databases of this device are called
      const asPerson: typeof fetch = async (input, init) => {
        const headers = new Headers(init?.headers);
        if (headers.get('x-user-id') === userId) headers.set('x-user-id', id);
        const { body, status, headers: given } = await signedIn.fetch(input, { ...init, headers });
        const told = new Headers(given);
        if (told.get('x-user-id') === id) told.set('x-user-id', userId);
        const answer = new Response(body, { status, headers: told });
        if (!answer.ok || !String(input).endsWith(getMe.path)) return answer;
        return Response.json({ ...((await answer.json()) as object), id: userId });
      };
      const wire = aWire(asPerson, speaks);
      const session = { userId, apiBaseUrl: 'http://localhost/api', signInId: null };
      const start = (options: EngineOptions = {}) => {
        const worker = anEngine(wire, server().clock.now, () => settled(server().database.db), options);
        closing.push(() => worker.engine.close(userId));
        return worker;
      };
      return {
        ...signedIn,
        wire,
        session,
        start,
        /** Starts a worker that has pulled all there is. */
        async startSynced(options: EngineOptions = {}) {
          const worker = start(options);
          await worker.engine.open(session);
          await worker.sync();
          return worker;
        },
        /** What a tab holds, beside the worker. */
        async aPage() {
          const page = await openReplica(browserStores, userId, testNow);
          closing.push(() => closeReplica(page));
          return page;
        },
      };
    },
    async close(): Promise<void> {
      for (const close of closing.splice(0)) await close();
    },
  };
}
