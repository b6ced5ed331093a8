import { getAddress } from 'ethers/address';

/**
 * An Ethereum address in checksum form. 40 hex digits in any case, with or without `0x`; nothing else is taken.
 * @source specification section 5; EIP-55
 */
export function checkAddress(text: string): { ok: true; address: string } | { ok: false; reason: string } {
  const match = /^(?:0x)?([0-9a-f]{40})$/i.exec(text.trim());
  if (!match?.[1]) return { ok: false, reason: `Given address ${text} is not a valid Ethereum address.` };
  return { ok: true, address: getAddress(`0x${match[1].toLowerCase()}`) };
}

/** An address as people should read it: checksum form where it is an Ethereum address, else as it came. */
export function displayAddress(text: string): string {
  const checked = checkAddress(text);
  return checked.ok ? checked.address : text;
}
