import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { ShortcutList } from './shortcut-list.tsx';

/** The list of shortcuts over whatever one is at. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts" width="wide" actions={<Button onClick={onClose}>Close</Button>}>
      <div className="py-2">
        <ShortcutList level="h3" />
      </div>
    </Dialog>
  );
}
