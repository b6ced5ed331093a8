import { useState } from 'react';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { newsWords } from '#app/shell/outbox-words.ts';

/** What last changed in the outbox since the screen is open, in words to be read out; empty while nothing has. */
export function useNews(edits: readonly OutboxRow[] | undefined): string {
  const [seen, setSeen] = useState(edits);
  const [news, setNews] = useState('');
  if (edits !== seen) {
    setSeen(edits);
    const words = seen && edits ? newsWords(seen, edits) : null;
    if (words !== null) setNews(words);
  }
  return news;
}
