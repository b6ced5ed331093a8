import { expect, test } from 'vitest';

const { palette, readablePairs } = await import('../../tailwind.config.ts');

function channel(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @source WCAG 2.2, contrast ratio */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const theme of ['light', 'dark'] as const) {
  test.each(readablePairs)(`[UI1] ${theme}: %s on %s reads at 4.5:1 or better`, (text, background) => {
    expect(palette[theme][text]).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrast(palette[theme][text], palette[theme][background])).toBeGreaterThanOrEqual(4.5);
  });

  test(`[UI1] ${theme}: the edge of a control stands out at 3:1 or better`, () => {
    for (const background of ['surface', 'raised', 'canvas'] as const)
      expect(contrast(palette[theme].control, palette[theme][background])).toBeGreaterThanOrEqual(3);
  });
}

test("[UI1] the specification's colours are the theme's, and its primary never stands as text", () => {
  expect(palette.light).toMatchObject({ primary: '#4bb3fd', secondary: '#182c4a' });
  expect(readablePairs.some(([text]) => text === 'primary')).toBe(false);
});
