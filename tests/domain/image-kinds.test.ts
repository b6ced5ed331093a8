import { expect, test } from 'vitest';
import { imageKindOf } from '#domain/image-kinds.ts';
import { jpegBytes, pngBytes } from '#tests/support/images.ts';

test('[TK27] a file is an image by its first bytes alone', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  expect(imageKindOf(pngBytes)).toBe('image/png');
  expect(imageKindOf(jpegBytes)).toBe('image/jpeg');
  const others = [
    text(''),
    text('GIF89a'),
    text('<svg xmlns="http://www.w3.org/2000/svg">'),
    text('%PDF-1.7'),
    text('PNG'),
    pngBytes.slice(0, 7),
  ];
  expect(others.map(imageKindOf)).toEqual(others.map(() => null));
});
