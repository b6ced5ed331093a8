import type { BrowserContext } from 'playwright';

/** The addresses of the workers that the tabs of a browser share. */
export async function sharedWorkersIn(context: BrowserContext): Promise<string[]> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (!session) throw new Error('This browser cannot be asked');
  const { targetInfos } = await session.send('Target.getTargets');
  await session.detach();
  return targetInfos.filter(({ type }) => type === 'shared_worker').map(({ url }) => url);
}
