import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright';

/** A fault of accessibility: its rule, how bad it is, how often it occurs, and where first. */
type Fault = readonly [rule: string, impact: string, count: number, first: string];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const found = `axe
  .run({ exclude: ['[data-headlessui-focus-guard]'] }, { resultTypes: ['violations'] })
  .then(({ violations }) => JSON.stringify(violations.map((one) => [one.id, one.impact, one.nodes.length, one.nodes[0].html.slice(0, 200)])))`;

/** Every fault of the page as it stands. The library's focus guards are left out: they hand the focus on at once. */
export async function faultsOf(context: BrowserContext, page: Page): Promise<Fault[]> {
  // through the debugger: the page's own policy lets no foreign script in
  const session = await context.newCDPSession(page);
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', { expression: found, awaitPromise: true });
  await session.detach();
  return JSON.parse(String(result.value)) as Fault[];
}

/** The faults that keep somebody from using the page. */
export async function seriousFaultsOf(context: BrowserContext, page: Page): Promise<Fault[]> {
  const faults = await faultsOf(context, page);
  return faults.filter(([, impact]) => impact === 'serious' || impact === 'critical');
}
