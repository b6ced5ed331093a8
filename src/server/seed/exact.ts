import type { Random } from './random.ts';

/**
 * Exact amounts as whole numbers. A quantity counts units of 10^-18, whatever its asset divides into; a price counts
 * 10^-10 US dollars. Their product counts 10^-28 US dollars, so a value never rounds.
 */
const quantityPlaces = 18;
const pricePlaces = 10;

function decimalText(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  const point = digits.length - places;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end--;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** A quantity as decimal text. */
export function quantityText(quantity: bigint): string {
  return decimalText(quantity, quantityPlaces);
}

/** Quantity times price as decimal text, every digit kept. */
export function valueText(quantity: bigint, price: bigint): string {
  return decimalText(quantity * price, quantityPlaces + pricePlaces);
}

/** A price as the row will hold it, from the float of a random walk: rounded once, here, to text; the number is read from that text. */
export function priceOf(usd: number): { text: string; units: bigint } {
  const places = usd >= 1000 ? 2 : usd >= 1 ? 4 : usd >= 0.001 ? 8 : pricePlaces;
  const [whole = '0', fraction = ''] = usd.toFixed(places).split('.');
  const units = BigInt(whole + fraction.padEnd(pricePlaces, '0'));
  return { text: decimalText(units, pricePlaces), units };
}

const steps = Array.from({ length: quantityPlaces + 1 }, (_, places) => 10n ** BigInt(quantityPlaces - places));

/** The quantity without the digits an asset of `places` cannot have. */
export function truncated(quantity: bigint, places: number): bigint {
  const step = steps[places] ?? 1n;
  return quantity - (quantity % step);
}

/** A quantity near `about`, with `places` digits drawn whole: the float only gives the size. Never zero. */
export function roughQuantity(random: Random, about: number, places: number): bigint {
  const leading = BigInt(Math.floor(about * 1e6)) * 1_000_000_000_000n;
  const tail = BigInt(random.below(1_000_000)) * 1_000_000n + BigInt(random.below(1_000_000));
  const quantity = truncated(leading + tail, places);
  return quantity > 0n ? quantity : (steps[places] ?? 1n);
}

/** What costs the same at another price: `quantity` × `price` ÷ `otherPrice`, cut to `places`. */
export function exchanged(quantity: bigint, price: bigint, otherPrice: bigint, places: number): bigint {
  return truncated((quantity * price) / otherPrice, places);
}

/** `millionths` of a quantity, cut to `places`. */
export function partOf(quantity: bigint, millionths: number, places: number): bigint {
  return truncated((quantity * BigInt(Math.round(millionths))) / 1_000_000n, places);
}
