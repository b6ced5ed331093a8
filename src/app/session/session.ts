import { type LoginAnswer, loginAnswerSchema, type Me, meSchema } from '#contract/session.ts';
import { isSessionPath, safeRedirect } from '#domain/session.ts';
import { createListeners } from '#app/listeners.ts';
import { keptKeys, type LocalStorage, type TabStorage } from '#app/kept-keys.ts';
import { forgetRemoval } from './copy-removal.ts';

/** Who is signed in on this browser, kept so that the app opens offline. */
export interface Session {
  /** The signed-in user; the same object until it changes. */
  user: () => Me | null;
  subscribe: (onChange: () => void) => () => void;
  signIn: (answer: LoginAnswer, me: Me) => void;
  /** Keeps what the server now says of the user. */
  update: (me: Me) => void;
  /** Forgets the user; preferences stay. */
  clear: () => void;
  answer: () => LoginAnswer | null;
  keepAnswer: (answer: LoginAnswer) => void;
  /** Keeps where the person was, to return there after signing in. */
  rememberPlace: (href: string) => void;
  /** The remembered place or `/home`, forgotten once taken. */
  takePlace: () => string;
}

const keys = {
  user: keptKeys.user.key,
  userId: keptKeys.userId.key,
  answer: keptKeys.loginResponse.key,
  place: keptKeys.redirectUrl.key,
};

function parsed<T>(schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }, text: string | null): T | null {
  if (text === null) return null;
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** Opens the session kept in the browser's storages. `onStorage` hears of changes other tabs make. */
export function openSession(local: LocalStorage, tab: TabStorage, onStorage: (heard: (key: string | null) => void) => void): Session {
  const listeners = createListeners();
  let me = parsed(meSchema, local.getItem(keys.user));
  const changed = (): void => {
    listeners.tell();
  };
  const keepUser = (user: Me): void => {
    me = user;
    local.setItem(keys.user, JSON.stringify(user));
    local.setItem(keys.userId, user.id);
    changed();
  };
  onStorage((key) => {
    if (key !== keys.user && key !== null) return;
    me = parsed(meSchema, local.getItem(keys.user));
    changed();
  });
  return {
    user: () => me,
    subscribe: listeners.subscribe,
    signIn: (answer, user) => {
      tab.setItem(keys.answer, JSON.stringify(answer));
      forgetRemoval(local, user.id);
      keepUser(user);
    },
    update: keepUser,
    clear: () => {
      me = null;
      local.removeItem(keys.user);
      local.removeItem(keys.userId);
      tab.removeItem(keys.answer);
      changed();
    },
    answer: () => parsed(loginAnswerSchema, tab.getItem(keys.answer)),
    keepAnswer: (answer) => tab.setItem(keys.answer, JSON.stringify(answer)),
    rememberPlace: (href) => {
      if (!isSessionPath(href.split(/[?#]/)[0] ?? '')) local.setItem(keys.place, href);
    },
    takePlace: () => {
      const place = safeRedirect(local.getItem(keys.place), '/home');
      local.removeItem(keys.place);
      return place;
    },
  };
}
