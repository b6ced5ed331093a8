import fc from 'fast-check';
import { UTCDate } from '@date-fns/utc';
import { format } from 'date-fns/format';
import { expect, test } from 'vitest';
import { assetColour, assetColours } from '#domain/asset-colours.ts';
import { formatDate, formatDay, type TimeZone, timeZones } from '#domain/dates.ts';

const { palette } = await import('../../tailwind.config.ts');

test('[GR33] a ticker has one colour, the same always and whatever its case; every colour is one both themes have', () => {
  expect(['BTC', 'btc', 'ETH', 'USDC', 'ZZTOP', 'constructor', ''].map(assetColour)).toEqual([
    'asset-orange',
    'asset-orange',
    'asset-indigo',
    'asset-blue',
    'asset-rose',
    'asset-cyan',
    'asset-green',
  ]);
  fc.assert(
    fc.property(fc.string(), (ticker) => {
      expect(assetColours).toContain(assetColour(ticker));
      expect(assetColour(ticker)).toBe(assetColour(ticker.toUpperCase()));
    }),
  );
  for (const colour of assetColours) for (const theme of ['light', 'dark'] as const) expect(palette[theme]).toHaveProperty(colour);
});

test('[GR33] tickers spread over all colours', () => {
  const seen = new Set(Array.from({ length: 400 }, (_, index) => assetColour(`T${index}`)));
  expect(seen.size).toBe(assetColours.length);
});

test('[GR34] dates read exactly as the calendar library writes them, in any zone and year', () => {
  const zones = Object.keys(timeZones) as TimeZone[];
  const moments = fc.oneof(
    fc.integer({ min: Date.parse('1960-01-01'), max: Date.parse('2060-01-01') }),
    fc.integer({ min: -62_135_596_800_000 - 10 ** 9, max: 253_402_300_799_999 + 10 ** 9 }),
    fc.constantFrom(0, -1, 951_782_400_000, 951_868_799_999, 4_107_542_399_999, -62_135_596_800_000, 253_402_300_799_999),
  );
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (ms, zone) => {
      const at = new UTCDate(ms + timeZones[zone]);
      expect(formatDate(ms, zone)).toBe(format(at, 'MM/dd/yyyy HH:mm'));
      expect(formatDay(ms, zone)).toBe(format(at, 'MM/dd/yyyy'));
    }),
    { numRuns: 5_000 },
  );
  expect(() => formatDate(Number.NaN, 'UTC')).toThrow(RangeError);
});
