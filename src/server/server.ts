import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from './config.ts';
import type { Database } from './database/open.ts';
import type { TicketStore } from './ticket-store.ts';
import type { Timers } from './timers.ts';

/** What the routes stand on: handed down from `main.ts`, or from a test. */
export interface Server {
  app: FastifyInstance;
  database: Database;
  config: ServerConfig;
  /** Now, in UTC milliseconds. */
  clock: () => number;
  timers: Timers;
  tickets: TicketStore;
}
