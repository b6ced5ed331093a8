import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address a request comes from, as the connection says it, or a proxy one trusts. Some proxies add the port, another one for each
 * connection; what is no address at all stands for nobody, and the connection's own is taken.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const bare = ip.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) === 0 ? (socket.remoteAddress ?? '') : bare;
}
