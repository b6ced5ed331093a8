import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useInertPage } from '#app/ui/use-inert-page.ts';
import { ShortcutList } from './shortcut-list.tsx';

/** The list of shortcuts over whatever one is at. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  useInertPage();
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts" width="wide" actions={<Button onClick={onClose}>Close</Button>}>
      {/* has the focus, so that arrows and page keys scroll it */}
      <div
        role="group"
        aria-label="All shortcuts"
        tabIndex={0}
        data-autofocus
        className="rounded-sm py-2 outline-none focus-visible:shadow-none"
      >
        <ShortcutList level="h3" />
      </div>
    </Dialog>
  );
}
