import { useSyncExternalStore } from 'react';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import type { Notice, NoticeAction, NoticeTone } from './notice-store.ts';
import { useServices } from './services.tsx';
import { CloseIcon } from './ui/icons.tsx';
import { IconButton } from './ui/button.tsx';

/** What to say for each error code; null says what the server said. */
const texts: Record<ErrorCode, string | null> = {
  not_authenticated: 'Your session has ended. Sign in again; what you edited is kept.',
  other_user: 'Somebody else is signed in on this browser by now. Sign in again; what you edited is kept.',
  permission_denied: null,
  not_found: null,
  timeout: 'The server did not answer in time. Nothing was lost; try again.',
  conflict: null,
  stale_version: 'Somebody changed this meanwhile. Look at the newest values, then try again.',
  too_large: null,
  unsupported: null,
  invalid: null,
  too_early: 'The server is not ready for this yet. Try again in a moment.',
  client_too_old: 'This version of the app is too old for the server. Reload to get the new one; what you edited is kept.',
  cursor_too_old: null,
  generation_changed: null,
  throttled: 'Too many requests. Wait a moment, then try again.',
  blocked: null,
  internal: 'The server failed on this request. Nothing was changed here; try again later.',
  unavailable: 'The server is not available at the moment. Try again later.',
  provider_unavailable: 'The sign-in provider could not be reached. Sign in with your password, or try again later.',
  network: 'The server could not be reached. Check the network, then try again.',
  bad_answer: 'The answer did not come from the Tieout server. A sign-in page of the network may be in between.',
};

/** One line for whatever went wrong: what the code's text says, else what the server said. */
export function textOfError(error: unknown): string {
  if (error instanceof ApiError) return texts[error.code] ?? error.message;
  return error instanceof Error && error.message ? error.message : 'Something went wrong';
}

/** @source specification section 8 */
export function deniedText(path: string): string {
  return `Permission denied, you are not allowed to access /${path.split('/')[1] ?? ''}`;
}

const words: Record<NoticeTone, string> = { info: 'Note', success: 'Done', warning: 'Warning', error: 'Error' };
const tones: Record<NoticeTone, string> = {
  info: 'bg-raised text-ink',
  success: 'bg-ok-soft text-ink',
  warning: 'bg-warn-soft text-ink',
  error: 'bg-bad-soft text-ink',
};
const wordTones: Record<NoticeTone, string> = { info: 'text-muted', success: 'text-ok', warning: 'text-warn', error: 'text-bad' };

function ActionButton({ action, onClose }: { action: NoticeAction; onClose: () => void }) {
  return (
    <button
      type="button"
      onClick={() => {
        onClose();
        action.run();
      }}
      className="shrink-0 rounded px-2 py-1 font-semibold text-link hover:bg-hover"
    >
      {action.label}
    </button>
  );
}

function Card({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  return (
    <div className={`pointer-events-auto flex w-full items-start gap-2 rounded py-2 pr-1 pl-3 text-grid shadow-pop ${tones[notice.tone]}`}>
      <p className="grow py-1">
        <span className={`mr-2 font-semibold ${wordTones[notice.tone]}`}>{words[notice.tone]}</span>
        {notice.text}
      </p>
      {notice.action ? <ActionButton action={notice.action} onClose={onClose} /> : null}
      <IconButton label="Close" onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}

/** The notices at the bottom left, above the totals and below whatever asks something, and the toast at the top right. */
export function Notices() {
  const { notices: store } = useServices();
  const { notices, toast } = useSyncExternalStore(store.subscribe, store.snapshot);
  return (
    <>
      <div
        role="log"
        aria-label="Notices"
        className="pointer-events-none fixed bottom-14 left-4 z-[35] flex w-[min(400px,calc(100vw-32px))] flex-col gap-2 max-sm:bottom-32 print:hidden"
      >
        {notices.map((notice) => (
          <Card key={notice.key} notice={notice} onClose={() => store.close(notice.key)} />
        ))}
      </div>
      <div role="alert" className="pointer-events-none fixed top-14 right-4 z-50 print:hidden w-[min(400px,calc(100vw-32px))]">
        {toast ? <Card notice={toast} onClose={() => store.close(toast.key)} /> : null}
      </div>
    </>
  );
}
