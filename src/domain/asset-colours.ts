/** The colours a digital asset can have, by the names the themes give them. */
export const assetColours = [
  'asset-orange',
  'asset-gold',
  'asset-olive',
  'asset-green',
  'asset-teal',
  'asset-cyan',
  'asset-blue',
  'asset-indigo',
  'asset-violet',
  'asset-magenta',
  'asset-rose',
  'asset-brown',
  'asset-slate',
] as const;
export type AssetColour = (typeof assetColours)[number];

/** Assets people know by their colour; what stands for one of them has it too. */
const wellKnown: Readonly<Record<string, AssetColour>> = {
  BTC: 'asset-orange',
  WBTC: 'asset-orange',
  ETH: 'asset-indigo',
  WETH: 'asset-indigo',
  STETH: 'asset-indigo',
  USDT: 'asset-teal',
  USDC: 'asset-blue',
  DAI: 'asset-gold',
  BNB: 'asset-gold',
  SOL: 'asset-violet',
  XRP: 'asset-slate',
  DOGE: 'asset-olive',
  ADA: 'asset-cyan',
  LTC: 'asset-slate',
  DOT: 'asset-magenta',
  AVAX: 'asset-rose',
  LINK: 'asset-blue',
  UNI: 'asset-magenta',
  AAVE: 'asset-violet',
  POL: 'asset-violet',
  MATIC: 'asset-violet',
  ARB: 'asset-cyan',
  OP: 'asset-rose',
  ATOM: 'asset-slate',
  PEPE: 'asset-green',
  SHIB: 'asset-orange',
};

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** A number of a text that never changes. @source Fowler, Noll, Vo: FNV-1a, 32 bits */
function hashOf(text: string): number {
  let hash = offset;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash >>> 0;
}

/**
 * The colour of a digital asset's ticker, the same everywhere and always, whatever its case.
 * @source specification section 3, "colour code per crypto asset ticker"
 */
export function assetColour(ticker: string): AssetColour {
  const name = ticker.trim().toUpperCase();
  const known = Object.hasOwn(wellKnown, name) ? wellKnown[name] : undefined;
  return known ?? assetColours[hashOf(name) % assetColours.length] ?? 'asset-slate';
}
