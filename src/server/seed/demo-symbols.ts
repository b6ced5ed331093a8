import type { Holder } from './demo-accounts.ts';
import { stableId } from './ids.ts';
import { custodianIdOf } from './reference.ts';

interface SymbolRow {
  id: string;
  custodian_id: string;
  symbol: string;
  security_id: string | null;
}

/** What custodians call the assets, and what they hold that nobody has named yet. */
export interface Symbols {
  rows: SymbolRow[];
  /** Id of the custodian's name for a security, by custodian then ticker. */
  known: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Ids of the names without a security, by custodian. */
  unknown: ReadonlyMap<string, readonly string[]>;
}

/** Kraken's own names for the old assets. */
const krakenNames: Readonly<Record<string, string>> = {
  BTC: 'XXBT',
  ETH: 'XETH',
  USD: 'ZUSD',
  EUR: 'ZEUR',
  XRP: 'XXRP',
  LTC: 'XLTC',
  DOGE: 'XXDG',
};
const unknownOnExchange = ['LUNA2.OLD', 'ETHW', 'SPOT-VOUCHER'];
const unknownOnChain = ['visit-claim.example', 'yvCurve-LP', 'aTokenV3-x', 'REWARD-2'];

/** Names every asset at every custodian where an account deals in it. Accounts kept by hand know securities only. */
export function openSymbols(holders: readonly Holder[]): Symbols {
  const rows: SymbolRow[] = [];
  const known = new Map<string, Map<string, string>>();
  const unknown = new Map<string, string[]>();

  function add(custodian: string, symbol: string, securityId: string | null): string {
    const id = stableId('symbol', `${custodian}/${symbol}`);
    rows.push({ id, custodian_id: custodianIdOf(custodian), symbol, security_id: securityId });
    return id;
  }

  for (const { custodian, kind, assets, quotes } of holders) {
    const names = known.get(custodian) ?? new Map<string, string>();
    known.set(custodian, names);
    for (const { ticker, securityId } of [...assets, ...quotes]) {
      if (!names.has(ticker))
        names.set(ticker, add(custodian, custodian === 'Kraken' ? (krakenNames[ticker] ?? ticker) : ticker, securityId));
    }
    const strange = kind === 'exchange' ? unknownOnExchange : kind === 'blockchain' || kind === 'defi' ? unknownOnChain : [];
    if (strange.length > 0 && !unknown.has(custodian)) {
      unknown.set(
        custodian,
        strange.map((symbol) => add(custodian, symbol, null)),
      );
    }
  }
  return { rows, known, unknown };
}
