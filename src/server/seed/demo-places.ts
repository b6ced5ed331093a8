import { stableId } from './ids.ts';

/** The eight kinds of account: the specification's seven, and DeFi accounts. */
export type AccountKind = 'exchange' | 'blockchain' | 'defi' | 'bank' | 'digital' | 'liquid' | 'traditional' | 'saft';

export interface EntityPlan {
  name: string;
  /** Its part of all transactions, in any unit. */
  share: number;
  /** Size of a usual transaction, against 1 for a middling fund. */
  wealth: number;
  accounts: Partial<Record<AccountKind, number>>;
  /** Chains of its wallets, where they are not the usual ones. */
  chains?: readonly string[];
  place: readonly [city: string, state: string | null, zip: string | null, country: string];
  accountingSystemId: 1 | 2 | 3;
  active?: false;
}

interface ClientPlan {
  name: string;
  entities: readonly EntityPlan[];
}

interface OrganizationPlan {
  name: string;
  clients: readonly ClientPlan[];
}

const newYork = ['New York', 'NY', '10022', 'United States'] as const;
const cayman = ['George Town', null, 'KY1-9008', 'Cayman Islands'] as const;
const boston = ['Boston', 'MA', '02110', 'United States'] as const;
const chicago = ['Chicago', 'IL', '60606', 'United States'] as const;
const austin = ['Austin', 'TX', '78701', 'United States'] as const;
const london = ['London', null, 'W1J 8AJ', 'United Kingdom'] as const;
const zug = ['Zug', null, '6300', 'Switzerland'] as const;

const meridian: ClientPlan = {
  name: 'Meridian Digital Assets',
  entities: [
    {
      name: 'Meridian Master Fund LP',
      share: 20,
      wealth: 4,
      accounts: { exchange: 6, blockchain: 6, defi: 4, bank: 3, digital: 1, liquid: 1, traditional: 1, saft: 1 },
      place: newYork,
      accountingSystemId: 3,
    },
    {
      name: 'Meridian Offshore Feeder Ltd',
      share: 8,
      wealth: 3,
      accounts: { exchange: 3, blockchain: 2, defi: 1, bank: 2 },
      place: cayman,
      accountingSystemId: 3,
    },
    {
      name: 'Meridian Liquid Token Fund LP',
      share: 14,
      wealth: 2,
      accounts: { exchange: 4, blockchain: 4, defi: 3, bank: 1, saft: 1 },
      place: newYork,
      accountingSystemId: 3,
    },
    { name: 'Meridian GP LLC', share: 0.15, wealth: 0.3, accounts: { bank: 1, digital: 1 }, place: newYork, accountingSystemId: 1 },
  ],
};

const hawthorne: ClientPlan = {
  name: 'Hawthorne Family Office',
  entities: [
    {
      name: 'Hawthorne Dynasty Trust',
      share: 3.5,
      wealth: 1.5,
      accounts: { exchange: 2, blockchain: 2, defi: 1, bank: 1, liquid: 1, traditional: 1 },
      place: boston,
      accountingSystemId: 2,
    },
    {
      name: 'Hawthorne Holdings LLC',
      share: 4,
      wealth: 1,
      accounts: { exchange: 2, blockchain: 2, bank: 2, digital: 1, liquid: 1, saft: 1 },
      place: boston,
      accountingSystemId: 2,
    },
    {
      name: 'Eleanor Hawthorne IRA',
      share: 0.6,
      wealth: 0.2,
      accounts: { exchange: 1, blockchain: 1, bank: 1 },
      place: boston,
      accountingSystemId: 1,
    },
    {
      name: 'Hawthorne Foundation',
      share: 0.4,
      wealth: 0.4,
      accounts: { exchange: 1, bank: 1, traditional: 1 },
      place: boston,
      accountingSystemId: 1,
    },
  ],
};

/** Every organization with its clients and their entities; the first entity is the busiest. */
export const organizationPlans: readonly OrganizationPlan[] = [
  {
    name: 'Harbor Ledger Advisory',
    clients: [
      meridian,
      hawthorne,
      {
        name: 'Bluewater Ventures',
        entities: [
          {
            name: 'Bluewater Ventures Fund I LP',
            share: 1,
            wealth: 1,
            accounts: { blockchain: 2, bank: 1, digital: 1, saft: 1 },
            place: austin,
            accountingSystemId: 1,
          },
          {
            name: 'Bluewater Ventures Fund II LP',
            share: 0.5,
            wealth: 2,
            accounts: { exchange: 1, blockchain: 1, bank: 1, saft: 1 },
            place: austin,
            accountingSystemId: 1,
          },
        ],
      },
      {
        name: 'Stonebridge Capital',
        entities: [
          {
            name: 'Stonebridge Arbitrage Fund LP',
            share: 11,
            wealth: 2,
            accounts: { exchange: 5, blockchain: 2, bank: 1 },
            place: chicago,
            accountingSystemId: 3,
          },
          {
            name: 'Stonebridge Treasury LLC',
            share: 1.2,
            wealth: 3,
            accounts: { exchange: 1, bank: 2, liquid: 1 },
            place: chicago,
            accountingSystemId: 3,
          },
        ],
      },
    ],
  },
  {
    name: 'Northlight Fund Services',
    clients: [
      {
        name: 'Aurora Quant Fund',
        entities: [
          {
            name: 'Aurora Quant Master Fund SPC',
            share: 12,
            wealth: 2,
            accounts: { exchange: 5, blockchain: 1, bank: 1 },
            place: cayman,
            accountingSystemId: 3,
          },
          {
            name: 'Aurora Market Making LLC',
            share: 9,
            wealth: 0.8,
            accounts: { exchange: 3, blockchain: 2, defi: 1 },
            place: newYork,
            accountingSystemId: 3,
          },
        ],
      },
      {
        name: 'Kestrel Yield Partners',
        entities: [
          {
            name: 'Kestrel Yield Fund LP',
            share: 6,
            wealth: 1.5,
            accounts: { exchange: 1, blockchain: 2, defi: 4 },
            place: zug,
            accountingSystemId: 1,
          },
          {
            name: 'Kestrel Staking LLC',
            share: 2.2,
            wealth: 1,
            accounts: { blockchain: 3, bank: 1 },
            chains: ['ethereum', 'solana', 'avalanche'],
            place: zug,
            accountingSystemId: 1,
          },
        ],
      },
      {
        name: 'Tidal Mining Group',
        entities: [
          {
            name: 'Tidal Mining Operations LLC',
            share: 3.4,
            wealth: 0.8,
            accounts: { exchange: 1, blockchain: 2, bank: 1 },
            chains: ['bitcoin'],
            place: austin,
            accountingSystemId: 2,
          },
          {
            name: 'Tidal Hosting Ltd',
            share: 0.2,
            wealth: 0.2,
            accounts: { exchange: 1, bank: 1 },
            place: london,
            accountingSystemId: 2,
            active: false,
          },
        ],
      },
    ],
  },
  {
    name: 'Calder & Wynn Family Office',
    clients: [
      {
        name: 'Wynn Family',
        entities: [
          {
            name: 'Wynn 2015 Trust',
            share: 1.5,
            wealth: 1,
            accounts: { exchange: 1, blockchain: 1, bank: 1, traditional: 1 },
            place: london,
            accountingSystemId: 1,
          },
          {
            name: 'Rosalind Wynn',
            share: 0.35,
            wealth: 0.1,
            accounts: { exchange: 1, blockchain: 1 },
            place: london,
            accountingSystemId: 1,
          },
        ],
      },
    ],
  },
];

/** Ids that stay the same whatever the day, the seed and the size, so that links to the demo keep working. */
export const demoIdOf = {
  organization: (name: string) => stableId('organization', name),
  client: (name: string) => stableId('client', name),
  entity: (name: string) => stableId('entity', name),
  user: (email: string) => stableId('user', email),
};
