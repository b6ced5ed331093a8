import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The first 64 bits of an IPv6 address, which a connection is given whole: whoever has one address of them has all. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const between = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = address.includes('::') ? [...first, ...between, ...last] : first;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Where a request comes from, as the connection says it, or a proxy one trusts. Some proxies add the port, another one for each
 * connection; what is no address at all stands for nobody, and the connection's own is taken.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip'> & { socket: { remoteAddress?: string | undefined } }): string {
  const bare = ip.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const address = (isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare).replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 6 ? networkOf(address) : address;
}
