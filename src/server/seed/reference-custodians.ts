/** Where assets are kept, by kind. */
export const referenceCustodianTypes = [
  { id: 1, custodian_type_name: 'Exchange' },
  { id: 2, custodian_type_name: 'Blockchain' },
  { id: 3, custodian_type_name: 'Bank' },
  { id: 4, custodian_type_name: 'Custody' },
  { id: 5, custodian_type_name: 'Broker' },
  { id: 6, custodian_type_name: 'Manual' },
] as const;

export type CustodianTypeId = (typeof referenceCustodianTypes)[number]['id'];

/** Names of custodians, by custodian type. A name stands once in the whole table. */
export const referenceCustodianNames: Readonly<Record<CustodianTypeId, readonly string[]>> = {
  1: ['Coinbase Prime', 'Kraken', 'Binance', 'Bitstamp', 'Gemini', 'OKX', 'Bybit', 'Bitfinex', 'KuCoin', 'Crypto.com', 'Deribit', 'FTX'],
  2: [
    'Ethereum',
    'Bitcoin',
    'Solana',
    'Polygon',
    'Arbitrum',
    'Base',
    'Optimism',
    'Avalanche',
    'BNB Smart Chain',
    'Fantom',
    'Litecoin',
    'Cosmos Hub',
  ],
  3: ['JPMorgan Chase', 'Customers Bank', 'Cross River Bank', 'Sygnum Bank', 'Barclays', 'Silvergate Bank'],
  4: ['BitGo', 'Anchorage Digital', 'Fidelity Digital Assets', 'Fireblocks'],
  5: ['Interactive Brokers', 'Charles Schwab'],
  6: ['Manual entry', 'Private placement'],
};

/** Closed for business: they stay for the books of their day, inactive. */
export const closedCustodians: ReadonlySet<string> = new Set(['FTX', 'Silvergate Bank']);
