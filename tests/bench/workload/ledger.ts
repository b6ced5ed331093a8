import type { Transaction } from '../../../src/contract/transactions.ts';
import { hexOf, Random, uuidOf } from './random.ts';
import type { Account, World } from './world.ts';
import { worldOf } from './world.ts';

/** Rows of a page, as a first pull from our own server writes them. */
export const pageRows = 5_000;
/** The ledger's years. */
export const ledgerFrom = Date.UTC(2021, 0, 1);
export const ledgerTo = Date.UTC(2026, 0, 1);

const places = [
  'Kraken',
  'Coinbase',
  'Treasury',
  'Payroll',
  'Binance',
  'Validator',
  'Invoice',
  'Grant',
  'Settlement',
  'Custody',
  'Vesting',
];
const deeds = ['Deposit from', 'Payout to', 'Transfer', 'Rebalance', 'Reward', 'Fee for', 'Refund', 'Swap via', 'Batch', 'Monthly'];

/**
 * A ledger of any number of rows, newest first, the same for the same seed. Every page has a random stream of its own, so that a page
 * can be drawn without those before it.
 */
export class Ledger {
  readonly rows: number;
  readonly world: World;
  private readonly seed: number;

  constructor(seed: number, rows: number) {
    this.seed = seed;
    this.rows = rows;
    this.world = worldOf(seed);
  }

  get pages(): number {
    return Math.ceil(this.rows / pageRows);
  }

  /** The rows of a page; page 0 has the newest. */
  page(number: number): Transaction[] {
    const random = new Random(this.seed, 1000 + number);
    const count = Math.min(pageRows, this.rows - number * pageRows);
    const step = (ledgerTo - ledgerFrom) / this.rows;
    const newest = ledgerTo - number * pageRows * step;
    // Some rows share their moment, as the legs and the fee of one trade do.
    let gaps = 0;
    const moments = Array.from({ length: count }, () => (gaps += random.chance(0.12) ? 0 : random.unit()));
    const scale = (count * step) / (gaps + 1);
    return moments.map((gap) => this.row(random, Math.floor((newest - gap * scale) / 1000) * 1000));
  }

  private row(random: Random, time: number): Transaction {
    const { accounts, securities, accountWheel, securityWheel, typeWheel } = this.world;
    const account = accounts[accountWheel.spin(random)] as Account;
    const security = securities[securityWheel.spin(random)] as (typeof securities)[number];
    const type = typeWheel.spin(random) + 1;
    const isUnpriced = random.chance(0.03);
    const hasFee = random.chance(0.12);
    const [sent, received] = account.isOnChain ? [random.chance(0.95), random.chance(0.95)] : [false, random.chance(0.2)];
    return {
      id: uuidOf(random, time + random.below(3 * 86_400_000)),
      account_id: account.id,
      entity_id: account.entity_id,
      custodian_id: account.custodian_id,
      security_id: random.chance(0.01) ? null : security.id,
      custodian_security_id: random.chance(0.3) ? null : security.custodian_security_id,
      trx_type_id: type,
      trx_date: new Date(time).toISOString(),
      quantity: decimalOf(random, 6, 1 + random.below(security.decimals)),
      price: isUnpriced ? null : decimalOf(random, 4, 2 + random.below(7)),
      usd_value: isUnpriced ? null : usdOf(random),
      fee_quantity: hasFee ? decimalOf(random, 0, 1 + random.below(security.decimals)) : null,
      fee_security_id: hasFee ? security.id : null,
      fee_usd: hasFee && !isUnpriced ? decimalOf(random, 1, 2) : null,
      tx_hash: account.isOnChain ? `0x${hexOf(random, 64)}` : null,
      from_address: sent ? `0x${hexOf(random, 40)}` : null,
      to_address: received ? `0x${hexOf(random, 40)}` : null,
      description: random.chance(0.45) ? null : `${random.pick(deeds)} ${random.pick(places)} ${1000 + random.below(90_000)}`,
      trade_group_id: type >= 3 && type <= 6 && random.chance(0.5) ? uuidOf(random, time) : null,
      manual_trx: random.chance(0.02),
      updated_trx: random.chance(0.06),
      unpriced_trx: isUnpriced,
      is_unidentified: random.chance(0.015),
      match_state: type <= 2 && random.chance(0.5) ? random.pick(['PENDING', 'APPROVED', 'APPROVED', 'REJECTED'] as const) : null,
      version: 1 + random.below(3),
    };
  }
}

/** A positive decimal with up to `wholeDigits` digits before the point, small ones more often, and exactly `scale` after it. */
function decimalOf(random: Random, wholeDigits: number, scale: number): string {
  const whole = Math.floor(10 ** (random.unit() * wholeDigits)) - (random.chance(0.5) ? 1 : 0);
  let fraction = '';
  while (fraction.length < scale) fraction += String(random.below(1_000_000)).padStart(6, '0');
  return `${whole}.${fraction.slice(0, scale)}`;
}

/** Dollars with 2 to 8 decimals and no more than 15 digits in all, so that a float tells them apart (engines without decimals sort right). */
function usdOf(random: Random): string {
  const wholeDigits = random.below(8);
  return decimalOf(random, wholeDigits, 2 + random.below(Math.min(7, 14 - wholeDigits)));
}
