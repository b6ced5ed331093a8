import type { FastifyBaseLogger } from 'fastify';

/** Writes warnings and errors to the console, one line each. Nothing of a request but its method and path is ever logged. */
export function consoleLogger(): FastifyBaseLogger {
  const quiet = () => undefined;
  const line = (level: string) => (entry: unknown, text?: string) => console.error(JSON.stringify({ level, text, entry }));
  const logger: FastifyBaseLogger = {
    level: 'warn',
    silent: quiet,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
    child: () => logger,
  };
  return logger;
}
