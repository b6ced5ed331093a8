/** The 29 transaction types by number (section 3), with the name shown. */
export const transactionTypes = {
  1: 'Deposit',
  2: 'Withdrawal',
  3: 'Trade buy',
  4: 'Trade sell',
  5: 'Trade fee',
  6: 'Trade rebate',
  7: 'Deposit fee',
  8: 'Withdrawal fee',
  9: 'Interest fee',
  10: 'Margin fee',
  11: 'Settlement fee',
  12: 'Income',
  13: 'Airdrop',
  14: 'Hard fork',
  15: 'Interest income',
  16: 'Margin income',
  17: 'Mining income',
  18: 'Settlement income',
  19: 'Staking income',
  20: 'Unrealized P&L',
  21: 'Custody fee',
  22: 'Stake',
  23: 'Unstake',
  24: 'Fee',
  25: 'In-kind subscription',
  26: 'In-kind redemption',
  27: 'In-kind redemption fee',
  28: 'Transfer fee',
  29: 'Misc rewards',
} as const;

export type TransactionTypeId = keyof typeof transactionTypes;

/** The states of a match; `null` on a transaction means none. */
export const matchStates = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type MatchState = (typeof matchStates)[number];
