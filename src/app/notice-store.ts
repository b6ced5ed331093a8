export type NoticeTone = 'info' | 'success' | 'warning' | 'error';

export interface Notice {
  key: number;
  tone: NoticeTone;
  text: string;
}

/** What is said to the person: up to three notices that go by themselves, and one toast that waits to be closed. */
export interface NoticeSnapshot {
  notices: readonly Notice[];
  toast: Notice | null;
}

export interface NoticeStore {
  snapshot: () => NoticeSnapshot;
  subscribe: (onChange: () => void) => () => void;
  notice: (tone: NoticeTone, text: string) => void;
  toast: (tone: NoticeTone, text: string) => void;
  close: (key: number) => void;
}

/** @source specification section 9 */
export const noticeLimits = { most: 3, hideAfterMs: 5_000 } as const;

/** Keeps notices and the toast. `later` runs a function after so many milliseconds. */
export function createNoticeStore(later: (run: () => void, ms: number) => void): NoticeStore {
  const listeners = new Set<() => void>();
  let current: NoticeSnapshot = { notices: [], toast: null };
  let lastKey = 0;
  const set = (next: NoticeSnapshot): void => {
    current = next;
    for (const listener of listeners) listener();
  };
  const close = (key: number): void =>
    set({ notices: current.notices.filter((notice) => notice.key !== key), toast: current.toast?.key === key ? null : current.toast });
  return {
    snapshot: () => current,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    notice: (tone, text) => {
      lastKey += 1;
      const key = lastKey;
      // the same words again take the place of those already shown
      const others = current.notices.filter((notice) => notice.text !== text);
      set({ ...current, notices: [...others, { key, tone, text }].slice(-noticeLimits.most) });
      later(() => close(key), noticeLimits.hideAfterMs);
    },
    toast: (tone, text) => {
      lastKey += 1;
      set({ ...current, toast: { key: lastKey, tone, text } });
    },
    close,
  };
}
