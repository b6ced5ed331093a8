import { useState } from 'react';
import { IconButton } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** Copies a text in full, whatever is shown of it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      setCopied(null);
    }
  };
  return (
    <IconButton label={copied === text ? 'Copied' : `Copy ${label}`} onClick={() => void copy()} className="size-6">
      {copied === text ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
