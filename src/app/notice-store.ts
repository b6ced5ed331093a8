import { createListeners } from './listeners.ts';

export type NoticeTone = 'info' | 'success' | 'warning' | 'error';

/** What the person can do about a notice; doing it closes it. */
export interface NoticeAction {
  label: string;
  run: () => void;
}

export interface Notice {
  key: number;
  tone: NoticeTone;
  text: string;
  action?: NoticeAction | undefined;
  /** Called when the person closes it. */
  onClose?: (() => void) | undefined;
}

/** What is said to the person: up to three notices that go by themselves, and one toast that waits to be closed. */
export interface NoticeSnapshot {
  notices: readonly Notice[];
  toast: Notice | null;
}

export interface NoticeStore {
  snapshot: () => NoticeSnapshot;
  subscribe: (onChange: () => void) => () => void;
  notice: (tone: NoticeTone, text: string, action?: NoticeAction) => void;
  toast: (tone: NoticeTone, text: string, onClose?: () => void) => void;
  close: (key: number) => void;
  /** Takes all of it away unread: it was said to somebody who has left. */
  clear: () => void;
}

/** Where there is something to do, a notice stays long enough to be reached. @source specification section 9 */
export const noticeLimits = { most: 3, hideAfterMs: 5_000, hideWithActionAfterMs: 15_000 } as const;

/** Keeps notices and the toast. `later` runs a function after so many milliseconds. */
export function createNoticeStore(later: (run: () => void, ms: number) => void): NoticeStore {
  const listeners = createListeners();
  let current: NoticeSnapshot = { notices: [], toast: null };
  let lastKey = 0;
  const set = (next: NoticeSnapshot): void => {
    current = next;
    listeners.tell();
  };
  const close = (key: number): void => {
    if (current.toast?.key === key) current.toast.onClose?.();
    set({ notices: current.notices.filter((notice) => notice.key !== key), toast: current.toast?.key === key ? null : current.toast });
  };
  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    notice: (tone, text, action) => {
      lastKey += 1;
      const key = lastKey;
      // the same words again take the place of those already shown
      const others = current.notices.filter((notice) => notice.text !== text);
      set({ ...current, notices: [...others, { key, tone, text, action }].slice(-noticeLimits.most) });
      later(() => close(key), action ? noticeLimits.hideWithActionAfterMs : noticeLimits.hideAfterMs);
    },
    toast: (tone, text, onClose) => {
      lastKey += 1;
      set({ ...current, toast: { key: lastKey, tone, text, onClose } });
    },
    close,
    clear: () => set({ notices: [], toast: null }),
  };
}
