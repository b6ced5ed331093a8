import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves the built PWA: hashed files for a year, all else asked again each time, and the app itself for any route of its own. */
export async function serveClient(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder === null) return;
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    immutable: true,
    maxAge: '365d',
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      if (!path.includes('/assets/')) void reply.header('cache-control', 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.[a-z0-9]+$/i.test(request.url.split('?')[0] ?? '');
    if (!wantsPage) return reply.status(404).send({ detail: 'Not found' });
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { immutable: false, maxAge: 0 });
  });
}
