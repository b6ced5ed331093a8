import { useEffect, useMemo } from 'react';
import type { Screenshot } from './screenshot.ts';

/** An address under which an image is shown, until it is taken away. */
export function useImageUrl({ bytes, type }: Screenshot): string {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type })), [bytes, type]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}
