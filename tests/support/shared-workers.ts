import type { BrowserContext, CDPSession } from 'playwright';

async function asked<T>(context: BrowserContext, question: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (!session) throw new Error('This browser cannot be asked');
  const answer = await question(session);
  await session.detach();
  return answer;
}

async function workersOf(session: CDPSession): Promise<{ targetId: string; url: string }[]> {
  const { targetInfos } = await session.send('Target.getTargets');
  return targetInfos.filter(({ type }) => type === 'shared_worker');
}

/** The addresses of the workers that the tabs of a browser share. */
export function sharedWorkersIn(context: BrowserContext): Promise<string[]> {
  return asked(context, async (session) => (await workersOf(session)).map(({ url }) => url));
}

/** Ends them, as the crash of the tab does in whose process they are. */
export function endSharedWorkersIn(context: BrowserContext): Promise<void> {
  return asked(context, async (session) => {
    for (const { targetId } of await workersOf(session)) await session.send('Target.closeTarget', { targetId });
  });
}
