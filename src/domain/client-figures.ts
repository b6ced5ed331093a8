import type { Entity } from '#contract/entities.ts';
import { sumOf } from './amounts.ts';

/** What the entities of a client that somebody sees come to. */
export interface ClientFigures {
  /** Active accounts. */
  accounts: number;
  /** Null where no entity's server says. */
  unreconciled: number | null;
  /** US dollars, exact; null where nothing was valued. */
  aumUsd: string | null;
  /** The newest update of any of them, ISO in UTC. */
  lastUpdate: string | null;
}

/** Sums over the entities one may see: another person's sums of the same client may be others. */
export function figuresOf(entities: readonly Entity[]): ClientFigures {
  const valued = entities.flatMap(({ portfolio_value }) => portfolio_value ?? []);
  const compared = entities.flatMap(({ unreconciled_accounts }) => unreconciled_accounts ?? []);
  const updates = entities.flatMap(({ last_update }) => last_update ?? []).sort();
  return {
    accounts: entities.reduce((sum, { active_accounts }) => sum + active_accounts, 0),
    unreconciled: compared.length === 0 ? null : compared.reduce((sum, count) => sum + count, 0),
    aumUsd: valued.length === 0 ? null : sumOf(valued),
    lastUpdate: updates.at(-1) ?? null,
  };
}
