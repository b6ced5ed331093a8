import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { importLimitBytes } from '#contract/raw-data.ts';
import type { ServerConfig } from './config.ts';
import type { Database } from './database/open.ts';
import { answerBadAddress, answerError } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { serveClient } from './client-files.ts';
import { databaseTickets } from './repositories/tickets.ts';
import { accountRoutes } from './routes/accounts.ts';
import { archivedAssetRoutes } from './routes/archived-assets.ts';
import { auditRoutes } from './routes/audit.ts';
import { clientRoutes } from './routes/clients.ts';
import { custodianRoutes } from './routes/custodians.ts';
import { entityRoutes } from './routes/entities.ts';
import { deviceRoutes } from './routes/devices.ts';
import { feedRoutes } from './routes/feed.ts';
import { figureRoutes } from './routes/figures.ts';
import { jobRoutes } from './routes/jobs.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { organizationRoutes } from './routes/organizations.ts';
import { rawDataRoutes } from './routes/raw-data.ts';
import { savedViewRoutes } from './routes/saved-views.ts';
import { securityRoutes } from './routes/securities.ts';
import { sessionRoutes } from './routes/session.ts';
import { systemRoutes } from './routes/system.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { transactionMatchRoutes } from './routes/transaction-matches.ts';
import { transactionRoutes } from './routes/transactions.ts';
import { invitationRoutes, userRoutes } from './routes/users.ts';
import { refuseForeignChanges, registerSecurityHeaders } from './security-headers.ts';
import type { Server } from './server.ts';
import type { TicketStore } from './ticket-store.ts';
import { realTimers, type Timers } from './timers.ts';

export interface AppOptions {
  database: Database;
  config: ServerConfig;
  clock: () => number;
  timers?: Timers;
  /** Where tickets are kept, where that is not our database. */
  tickets?: TicketStore;
  logger?: FastifyBaseLogger;
}

/** Every route file, by name. */
const routeFiles = [
  sessionRoutes,
  oauthRoutes,
  invitationRoutes,
  userRoutes,
  organizationRoutes,
  clientRoutes,
  archivedAssetRoutes,
  entityRoutes,
  accountRoutes,
  figureRoutes,
  custodianRoutes,
  securityRoutes,
  transactionRoutes,
  transactionMatchRoutes,
  rawDataRoutes,
  savedViewRoutes,
  auditRoutes,
  ticketRoutes,
  feedRoutes,
  deviceRoutes,
  systemRoutes,
  jobRoutes,
] as const satisfies readonly ((server: Server) => void)[];

/** Builds the server on an opened database: the API under `/api`, the PWA and its configuration beside it. */
export async function buildApp({
  database,
  config,
  clock,
  timers = realTimers,
  tickets = databaseTickets,
  logger,
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    bodyLimit: 1_000_000,
    // of nobody else is X-Forwarded-For believed
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    frameworkErrors: answerBadAddress,
    forceCloseConnections: 'idle',
    // a request that does not arrive whole is given up
    requestTimeout: 120_000,
  });
  app.setErrorHandler(answerError);
  refuseForeignChanges(app, config);
  await registerSecurityHeaders(app, config);
  if (config.corsOrigins.length > 0)
    await app.register(cors, {
      origin: [...config.corsOrigins],
      credentials: true,
      exposedHeaders: ['retry-after', 'idempotent-replayed', 'x-perm-version', 'x-user-id'],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
    });
  await app.register(compress, { encodings: ['gzip'], threshold: 2048, zlibOptions: { level: 1 } });
  await app.register(cookie);
  await app.register(multipart, { limits: { fileSize: importLimitBytes, files: 1, fields: 10 } });
  // an empty body is an empty object: signing out must not fail for want of one
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {});
    else void parseJson(request, String(body), done);
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });

  app.get('/config.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(config.runtime));
  await app.register(
    async (api) => {
      for (const register of routeFiles) register({ app: api, database, config, clock, timers, tickets });
      api.get('/openapi.json', () => openApiDocument(config.version));
      api.setNotFoundHandler((_request, reply) => reply.status(404).header('cache-control', 'no-store').send({ detail: 'Not found' }));
    },
    { prefix: '/api' },
  );
  await serveClient(app, config.clientFolder);
  return app;
}
