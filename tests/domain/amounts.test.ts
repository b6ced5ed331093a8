import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualNumbers } from '#domain/number-style.ts';
import { formatPrice, formatQuantity, formatUsd, negated, plainDecimal, sumOf } from '#domain/amounts.ts';

describe('amounts', () => {
  test('[AM1] dollars show two places half to even, thousands apart, negatives in parentheses', () => {
    expect(['1234.565', '1234.575', '-1234.56', '0', '-0.001'].map((text) => formatUsd(text))).toEqual([
      '1,234.56',
      '1,234.58',
      '(1,234.56)',
      '0.00',
      '(0.00)',
    ]);
  });

  test('[AM2] quantities show at least eight places and all they have up to eighteen', () => {
    expect(['1.5', '-0.123456789012345678', '12345678', '1.1234567890123456789'].map((text) => formatQuantity(text))).toEqual([
      '1.50000000',
      '(0.123456789012345678)',
      '12,345,678.00000000',
      '1.123456789012345679',
    ]);
    expect(formatPrice('0.00001234')).toBe('0.00001234');
  });

  test('[AM8] a price too small for eight places shows its first digits that count, never nothing', () => {
    const tiny = ['0.0000000015', '-0.0000000015', '0.000000005', '0.000000000000000000012345678', '0.00000000999', '0.000000006', '0'];
    expect(tiny.map((text) => formatPrice(text))).toEqual([
      '0.0000000015',
      '(0.0000000015)',
      '0.000000005',
      '0.00000000000000000001235',
      '0.00000001',
      '0.00000001',
      '0.00',
    ]);
    expect(formatPrice('0.000000000123456', { ...usualNumbers, decimals: 'all' })).toBe('0.000000000123456');
  });

  test('[AM3] what is copied has every digit and a minus sign', () => {
    expect(plainDecimal('-1234.5600000000000000001')).toBe('-1234.5600000000000000001');
    expect(plainDecimal('1000000000000000000000000')).toBe('1000000000000000000000000');
  });

  test('[AM4] sums are exact whatever the digits', () => {
    expect(sumOf(['12345678901.123456789012345678', '0.000000000000000001'])).toBe('12345678901.123456789012345679');
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }));
    const text = ([unscaled, places]: [bigint, number]) => {
      const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(places + 1, '0');
      const whole = digits.slice(0, digits.length - places);
      return `${unscaled < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
    };
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (amounts) => {
        const exact = amounts.reduce((sum, [unscaled, places]) => sum + unscaled * 10n ** BigInt(18 - places), 0n);
        expect(sumOf(amounts.map(text))).toBe(plainDecimal(text([exact, 18])));
      }),
    );
  });

  test('[AM5] zero has no sign', () => {
    expect(['5', '-5.10', '0', '0.00', '-0', '0e7', '1e-7'].map(negated)).toEqual(['-5', '5.10', '0', '0.00', '0', '0e7', '-1e-7']);
    expect(sumOf([negated('0')])).toBe('0');
  });
});
