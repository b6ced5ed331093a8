import type { ApiCall } from '#api-client/call.ts';
import type { Permission } from '#contract/endpoint.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { getMe, type Me } from '#contract/session.ts';

/** For how long a right that the server said is gone is gone without its being asked again, in milliseconds: many lists are refused at once. */
const holdsMs = 5_000;

/** Failures that concern the session, or all requests alike. */
const isOfAll: ReadonlySet<ErrorCode> = new Set(['network', 'not_authenticated', 'other_user']);

interface RightsPorts {
  call: ApiCall;
  now: () => number;
  /** Whose session it is. */
  userId: string;
}

/** What the person may not do, as the server says. */
export class OwnRights {
  readonly #ports: RightsPorts;
  #told: { me: Me; at: number } | null = null;

  constructor(ports: RightsPorts) {
    this.#ports = ports;
  }

  /** Whether the server says that a right is gone. Where it says nothing of it, or cannot be asked, it is not. */
  async lacks(right: Permission): Promise<boolean> {
    const { call, now } = this.#ports;
    const told = this.#told;
    if (told && Math.abs(now() - told.at) < holdsMs && this.#isGone(told.me, right)) return true;
    try {
      const at = now();
      const me = await call(getMe, {});
      this.#told = { me, at };
      return this.#isGone(me, right);
    } catch (cause) {
      if (!(cause instanceof ApiError) || isOfAll.has(cause.code)) throw cause;
      return false;
    }
  }

  #isGone({ id, is_superuser: isSuperuser, permissions }: Me, right: Permission): boolean {
    // a right it says nothing of may be one it has another name for; and somebody else may have signed in meanwhile
    return id === this.#ports.userId && !isSuperuser && permissions[right] === false;
  }
}
