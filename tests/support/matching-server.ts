import type { CallOptions } from '#api-client/call.ts';
import type { Fields } from '#replica/merge.ts';
import { proposed, refuseMoved } from './pairs.ts';
import type { SomeRow } from './sent-edits.ts';

export const legs = ['a', 'b', 'c', 'd'] as const;
export type Leg = (typeof legs)[number];

export interface Mark {
  trx_id: Leg;
  counterpart_id: Leg | null;
  is_transfer: boolean;
}

export function legsOf({ trx_id, counterpart_id }: Mark): Leg[] {
  return counterpart_id === null ? [trx_id] : [trx_id, counterpart_id];
}

interface Match {
  legs: readonly Leg[];
  state: 'PENDING' | 'APPROVED' | 'REJECTED';
}

/** A server with four rows that three matches are proposed for: what it makes of a decision, and which rows that changes. */
export class MatchingServer {
  readonly rows: Record<Leg, SomeRow> = { a: proposed('a'), b: proposed('b'), c: proposed('c'), d: proposed('d') };
  #matches: readonly Match[] = [
    { legs: ['a', 'b'], state: 'PENDING' },
    { legs: ['b', 'c'], state: 'PENDING' },
    { legs: ['a', 'd'], state: 'PENDING' },
  ];

  change(leg: Leg, to: Fields): void {
    this.rows[leg] = { ...this.rows[leg], ...to, version: this.rows[leg].version + 1 };
  }

  /** What a person's decision comes to on rows in these versions. @throws ApiError where one of them is in another. */
  mark(mark: Mark, versions: Pick<CallOptions, 'ifVersion' | 'restsOnVersion'>): { id: string; version: number; match_state: unknown }[] {
    const { trx_id, counterpart_id } = mark;
    refuseMoved({ current: this.rows[trx_id], rests_on: counterpart_id && this.rows[counterpart_id] }, versions);
    return this.decide(mark).map((id) => ({ id, version: this.rows[id].version, match_state: this.rows[id]['match_state'] }));
  }

  /** That rows are a pair takes the place of their other matches, that they are none says nothing of these. @returns the rows it changes. */
  decide(mark: Mark): Leg[] {
    const own = legsOf(mark);
    const state = mark.is_transfer ? 'APPROVED' : 'REJECTED';
    const isHeld = ({ legs: of }: Match): boolean => of.length === own.length && of.every((leg) => own.includes(leg));
    const held = this.#matches.find(isHeld);
    const live = this.#matches.filter(
      (match) => match !== held && match.state !== 'REJECTED' && match.legs.some((leg) => own.includes(leg)),
    );
    const isRefused = !mark.is_transfer && own.length === 2;
    const rivals = isRefused ? [] : live;
    const others = this.#matches.filter((match) => match !== held && !rivals.includes(match));
    this.#matches = [...others, ...rivals.map((rival): Match => ({ ...rival, state: 'REJECTED' })), { legs: own, state }];
    const isLive = (leg: Leg): boolean => this.#matches.some((match) => match.state !== 'REJECTED' && match.legs.includes(leg));
    const freed = [...new Set(rivals.flatMap((rival) => rival.legs))].filter((leg) => !own.includes(leg) && !isLive(leg));
    const isNews = !isRefused && (rivals.length > 0 || held?.state !== state);
    const decided = own.filter((leg) => {
      const isOthers = isRefused && live.some((match) => match.legs.includes(leg));
      return !isOthers && (isNews || this.rows[leg]['match_state'] !== state);
    });
    for (const leg of freed) this.change(leg, { match_state: null });
    for (const leg of decided) this.change(leg, { match_state: state });
    return [...freed, ...decided];
  }
}
