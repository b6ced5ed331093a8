import { Random, uuidOf, Wheel } from './random.ts';

/** Who owns what in the ledger: drawn from the seed alone, so that it is the same at every number of rows. */
export interface World {
  readonly entities: readonly string[];
  readonly accounts: readonly Account[];
  readonly securities: readonly Security[];
  /** Draws an account: one entity has about a quarter of all rows, and within an entity a few accounts have most. */
  readonly accountWheel: Wheel;
  readonly securityWheel: Wheel;
  readonly typeWheel: Wheel;
}

export interface Account {
  readonly id: string;
  readonly entity_id: string;
  readonly custodian_id: string;
  /** Rows of a chain have hashes and addresses, rows of an exchange mostly have none. */
  readonly isOnChain: boolean;
}

export interface Security {
  readonly id: string;
  readonly custodian_security_id: string;
  readonly decimals: number;
}

/** How often each of the 29 types occurs, from type 1 on. */
const typeWeights = [150, 140, 165, 160, 90, 6, 4, 25, 8, 6, 3, 12, 9, 1, 22, 5, 14, 4, 60, 16, 7, 18, 12, 55, 2, 2, 1, 20, 11] as const;

const founded = Date.UTC(2020, 8, 1);

/** Draws the world of a seed: 20 entities with 5 to 200 accounts, 12 custodians, 120 securities. */
export function worldOf(seed: number): World {
  const random = new Random(seed, 1);
  const id = () => uuidOf(random, founded + random.below(86_400_000));
  const entities = Array.from({ length: 20 }, id);
  const custodians = Array.from({ length: 12 }, id);
  const accounts: Account[] = [];
  const weights: number[] = [];
  for (const [rank, entity_id] of entities.entries()) {
    const share = rank === 0 ? 0.25 : 0.75 / (rank + 2) ** 0.8;
    const count = rank === 0 ? 200 : 5 + Math.floor(150 * random.unit() ** 2);
    const custodianBase = random.below(12);
    const own = Array.from({ length: count }, (_, index) => 1 / (index + 3) ** 0.7);
    const sum = own.reduce((a, b) => a + b, 0);
    for (const weight of own) {
      const custodian = (custodianBase + random.below(4)) % custodians.length;
      accounts.push({ id: id(), entity_id, custodian_id: custodians[custodian] as string, isOnChain: custodian < 8 });
      weights.push(((rank === 0 ? share : share / othersShare) * weight) / sum);
    }
  }
  const securities = Array.from({ length: 120 }, () => ({
    id: id(),
    custodian_security_id: id(),
    decimals: random.pick([18, 18, 18, 8, 8, 6, 6, 2]),
  }));
  const securityWheel = new Wheel(securities.map((_, rank) => 1 / (rank + 1)));
  return { entities, accounts, securities, accountWheel: new Wheel(weights), securityWheel, typeWheel: new Wheel(typeWeights) };
}

/** What the shares of all entities but the busy one add up to, in units of three quarters. */
const othersShare = Array.from({ length: 19 }, (_, index) => 1 / (index + 3) ** 0.8).reduce((a, b) => a + b, 0);
