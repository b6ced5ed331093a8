import { v7 as uuid } from 'uuid';
import { type LoginAnswer, loginAnswerSchema, type Me, meSchema } from '#contract/session.ts';
import { isSessionPath, safeRedirect } from '#domain/session.ts';
import { createListeners } from '#app/listeners.ts';
import { keptKeys, type LocalStorage, type TabStorage } from '#app/kept-keys.ts';
import { forgetRemoval } from './copy-removal.ts';

/** Who is signed in on this browser, kept so that the app opens offline. */
export interface Session {
  /** The signed-in user; the same object until it changes. */
  user: () => Me | null;
  /** Who is signed in by now, be it in another tab of which this one has not heard yet. */
  userByNow: () => Me | null;
  subscribe: (onChange: () => void) => () => void;
  signIn: (answer: LoginAnswer, me: Me) => void;
  /** Lets a person go on whom this device knows, without the server. */
  resume: (me: Me) => void;
  /** Keeps what the server now says of the user. */
  update: (me: Me) => void;
  /** Forgets the user; preferences stay. */
  clear: () => void;
  answer: () => LoginAnswer | null;
  keepAnswer: (answer: LoginAnswer) => void;
  /** Keeps where the person was, to return there after signing in. */
  rememberPlace: (href: string) => void;
  /** The remembered place or `/home`, which it is where somebody else was there; forgotten once taken. */
  takePlace: () => string;
  /** Whether other people use this computer, too: nothing is kept on it after a sign-out. Said at sign-in, and the usual answer of the next. */
  isShared: () => boolean;
  setShared: (isShared: boolean) => void;
  /** What was said of that in this tab, or last in any: it holds from the next sign-in here on, and changes nothing for who is signed in. */
  sharedChoice: () => boolean;
  chooseShared: (isShared: boolean) => void;
  /** Which sign-in the session is of, by now, in any tab; null where nobody is in, or came in with a build before this was kept. */
  signInId: () => string | null;
  /** Notes that this tab has shown the end of a session. */
  noteEnded: () => void;
  /** Whether nobody signed in in this tab since it showed the end of a session: asked once, when a page begins. */
  takeEnded: () => boolean;
  /** Whose sign-out the server has not heard of yet; null where it knows of all. */
  owedSignOut: () => string | null;
  setOwedSignOut: (userId: string | null) => void;
}

const keys = {
  user: keptKeys.user.key,
  userId: keptKeys.userId.key,
  answer: keptKeys.loginResponse.key,
  place: keptKeys.redirectUrl.key,
  placeOf: keptKeys.redirectOf.key,
  shared: keptKeys.sharedComputer.key,
  sharedChoice: keptKeys.sharedChoice.key,
  owed: keptKeys.owedSignOut.key,
  signInId: keptKeys.signInId.key,
  ended: keptKeys.sessionEnded.key,
  activity: keptKeys.lastActivity.key,
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
  const enter = (user: Me): void => {
    tab.removeItem(keys.ended);
    local.setItem(keys.signInId, uuid());
    forgetRemoval(local, user.id);
    keepUser(user);
  };
  const userByNow = (): Me | null => parsed(meSchema, local.getItem(keys.user));
  const isShared = (): boolean => local.getItem(keys.shared) === 'true';
  const setShared = (is: boolean): void => (is ? local.setItem(keys.shared, 'true') : local.removeItem(keys.shared));
  const sharedChoice = (): boolean => (tab.getItem(keys.sharedChoice) ?? String(isShared())) === 'true';
  onStorage((key) => {
    if (key !== keys.user && key !== null) return;
    me = userByNow();
    changed();
  });
  return {
    user: () => me,
    userByNow,
    subscribe: listeners.subscribe,
    signIn: (answer, user) => {
      tab.setItem(keys.answer, JSON.stringify(answer));
      // the cookies that somebody left behind are replaced
      local.removeItem(keys.owed);
      setShared(sharedChoice());
      tab.removeItem(keys.sharedChoice);
      enter(user);
    },
    resume: (user) => {
      if (local.getItem(keys.owed) === user.id) local.removeItem(keys.owed);
      enter(user);
    },
    update: keepUser,
    clear: () => {
      me = null;
      local.removeItem(keys.user);
      local.removeItem(keys.userId);
      // the next session has its own hour
      local.removeItem(keys.activity);
      local.removeItem(keys.signInId);
      tab.removeItem(keys.answer);
      changed();
    },
    answer: () => parsed(loginAnswerSchema, tab.getItem(keys.answer)),
    keepAnswer: (answer) => tab.setItem(keys.answer, JSON.stringify(answer)),
    rememberPlace: (href) => {
      // whoever comes next to a shared computer is not shown where somebody was
      if (isShared() || isSessionPath(href.split(/[?#]/)[0] ?? '')) return;
      local.setItem(keys.place, href);
      // where nobody was yet, whoever signs in is led to
      if (me) local.setItem(keys.placeOf, me.id);
      else local.removeItem(keys.placeOf);
    },
    takePlace: () => {
      const whose = local.getItem(keys.placeOf);
      // an address may hold what somebody else typed
      const place = whose === null || whose === me?.id ? local.getItem(keys.place) : null;
      local.removeItem(keys.place);
      local.removeItem(keys.placeOf);
      return safeRedirect(place, '/home');
    },
    isShared,
    setShared,
    sharedChoice,
    chooseShared: (is) => tab.setItem(keys.sharedChoice, String(is)),
    signInId: () => local.getItem(keys.signInId),
    noteEnded: () => tab.setItem(keys.ended, 'true'),
    takeEnded: () => {
      const hasEnded = tab.getItem(keys.ended) !== null;
      tab.removeItem(keys.ended);
      return hasEnded;
    },
    owedSignOut: () => local.getItem(keys.owed),
    setOwedSignOut: (userId) => (userId === null ? local.removeItem(keys.owed) : local.setItem(keys.owed, userId)),
  };
}
