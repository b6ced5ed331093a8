import { ApiError } from '#contract/errors.ts';
import { getMe, type LoginAnswer } from '#contract/session.ts';
import { textOfError } from '#app/notices.tsx';
import type { AppRouter } from '#app/router.tsx';
import type { Services } from '#app/services.tsx';

/** Opens the app for whoever the answer is of, at the place they were going to. */
export async function enter({ call, session }: Services, { history }: Pick<AppRouter, 'history'>, answer: LoginAnswer): Promise<void> {
  session.signIn(answer, await call(getMe, {}));
  history.replace(session.takePlace());
}

/** What to say of a refused sign-in: wrong credentials in the server's words, anything else in ours. */
export function refusalText(error: unknown): string {
  return error instanceof ApiError && error.code === 'not_authenticated' ? error.message : textOfError(error);
}
