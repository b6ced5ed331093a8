import { goneWords } from '#app/shell/outbox-words.ts';
import { useReceipts } from '#app/use-replica.ts';

/** Says of an edit one came for that it waits no longer, and what became of it. @param most settled edits that are looked through. */
export function GoneEdit({ id, most }: { id: string; most: number }) {
  const receipts = useReceipts(most);
  if (receipts === undefined) return null;
  return (
    <p role="status" className="page-inset pb-2 text-grid text-soft">
      {goneWords(receipts.find((receipt) => receipt.id === id))}
    </p>
  );
}
