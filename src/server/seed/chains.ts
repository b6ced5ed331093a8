import { getAddress } from 'ethers/address';
import type { Rail } from './demo-assets.ts';
import { randomHex } from './ids.ts';
import { openRandom, type Random } from './random.ts';

const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function letters(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet.charAt(random.below(alphabet.length));
  return text;
}

/** An address as a chain writes it: EIP-55 on EVM; on Bitcoin and Solana the right letters and length, but no true checksum. */
export function newAddress(random: Random, rail: Rail): string {
  if (rail === 'bitcoin') return `bc1q${letters(random, bech32, 38)}`;
  return rail === 'solana' ? letters(random, base58, 44) : getAddress(`0x${randomHex(random, 5)}`);
}

/** A transaction hash as a chain writes it. */
export function newHash(random: Random, rail: Rail): string {
  if (rail === 'solana') return letters(random, base58, 88);
  return rail === 'evm' ? `0x${randomHex(random, 8)}` : randomHex(random, 8);
}

/** Addresses of people and places outside the demo. */
export type Strangers = Readonly<Record<Rail, readonly string[]>>;

/** Made once: a checksum costs more than a whole row, and in life too one meets the same addresses again. */
export function openStrangers(seed: number): Strangers {
  const random = openRandom(`${seed}/strangers`);
  const some = (rail: Rail, count: number) => Array.from({ length: count }, () => newAddress(random, rail));
  return { evm: some('evm', 300), bitcoin: some('bitcoin', 120), solana: some('solana', 80) };
}

/** Public contracts DeFi accounts call. */
export const protocols = [
  { name: 'Uniswap V2', address: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D' },
  { name: 'Uniswap V3', address: '0xE592427A0AEce92De3Edee1F18E0157C05861564' },
  { name: 'SushiSwap', address: '0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F' },
  { name: '1inch', address: '0x1111111254EEB25477B68fb85Ed929f73A960582' },
] as const;
