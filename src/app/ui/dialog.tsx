import { Dialog as HeadlessDialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react';
import type { ReactNode } from 'react';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode;
  width?: 'normal' | 'wide';
}

/** A modal dialog: Escape and a click beside it close it, focus stays inside and returns afterwards. */
export function Dialog({ isOpen, onClose, title, children, actions, width = 'normal' }: DialogProps) {
  return (
    <HeadlessDialog open={isOpen} onClose={onClose} className="relative z-40">
      <DialogBackdrop
        transition
        className="fixed inset-0 bg-[#0d182a]/45 transition-opacity duration-[120ms] ease-out data-closed:opacity-0"
      />
      <div className="fixed inset-0 flex items-end justify-center overflow-y-auto sm:items-center sm:p-4">
        <DialogPanel
          transition
          className={`flex max-h-full w-full flex-col rounded-t bg-raised shadow-pop transition duration-[120ms] ease-out data-closed:opacity-0 sm:rounded ${width === 'wide' ? 'sm:max-w-[760px]' : 'sm:max-w-[460px]'}`}
        >
          <DialogTitle className="px-5 pt-4 pb-1 text-large font-semibold">{title}</DialogTitle>
          <div className="min-h-0 grow overflow-y-auto px-5 py-2">{children}</div>
          {actions ? <div className="flex flex-wrap justify-end gap-2 px-5 pt-2 pb-4">{actions}</div> : null}
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
