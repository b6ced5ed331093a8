import type { FieldKey } from '#app/screens/transactions/filter-fields.ts';
import { fieldOf } from '#app/screens/transactions/filter-fields.ts';
import { AmountEditor } from './amount-editor.tsx';
import { DateEditor } from './date-editor.tsx';
import type { FilterDesk } from './filter-desk.ts';
import { FlagEditor } from './flag-editor.tsx';
import { HashEditor } from './hash-editor.tsx';
import { ListEditor } from './list-editor.tsx';
import { TextEditor } from './text-editor.tsx';

/** Whatever has an editor: a field, the dates, the pasted hashes. */
export type EditorKey = FieldKey | 'dates' | 'hashes';

/** The editor of a filter. */
export function Editor({ of, desk, close }: { of: EditorKey; desk: FilterDesk; close: () => void }) {
  if (of === 'dates') return <DateEditor desk={desk} close={close} />;
  if (of === 'hashes') return <HashEditor desk={desk} close={close} />;
  const known = fieldOf(of);
  switch (known.kind) {
    case 'list':
      return <ListEditor desk={desk} known={known} close={close} />;
    case 'amount':
      return <AmountEditor desk={desk} known={known} close={close} />;
    case 'text':
      return <TextEditor desk={desk} known={known} close={close} />;
    case 'flag':
      return <FlagEditor desk={desk} known={known} close={close} />;
  }
}
