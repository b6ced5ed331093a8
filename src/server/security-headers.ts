import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#contract/errors.ts';
import type { ServerConfig } from './config.ts';

function originOf(url: string): string[] {
  return /^https?:\/\//.test(url) ? [new URL(url).origin] : [];
}

/** Strict headers on every answer, errors included; scripts come from here only and workers through one trusted policy. */
export async function registerSecurityHeaders(app: FastifyInstance, config: ServerConfig): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'blob:', 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...originOf(config.runtime.api_base_url)],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['tieout'],
      },
    },
    strictTransportSecurity: config.isSecure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: config.corsOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}

/**
 * Refuses changes another site's page asks for in the name of a signed-in user. A browser always says where such a
 * request comes from; a script that says nothing stands on its credentials alone.
 */
export function refuseForeignChanges(app: FastifyInstance, config: ServerConfig): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
    const { origin, host } = request.headers;
    const isOwn = origin !== undefined && host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
    if (isOwn || (origin !== undefined && config.corsOrigins.includes(origin))) return;
    const site = request.headers['sec-fetch-site'];
    if (origin === undefined && (site === undefined || site === 'same-origin' || site === 'none')) return;
    throw new ApiError({ code: 'permission_denied', detail: 'Changes from another site are refused' });
  });
}
