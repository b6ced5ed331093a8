import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '#contract/errors.ts';

/** Fastify's own refusals (a body that is no JSON, too large, of an unknown type), as errors of the contract. */
function asApiError(error: FastifyError): ApiError | undefined {
  const status = error.statusCode ?? 500;
  if (status >= 500) return undefined;
  const byStatus: Record<number, ErrorCode> = { 404: 'not_found', 413: 'too_large', 415: 'unsupported', 429: 'throttled' };
  const code = byStatus[status];
  if (code) return new ApiError({ code, detail: error.message });
  return new ApiError({ code: 'invalid', detail: [{ loc: ['body'], msg: 'The request body could not be read', type: error.code }] });
}

/** What a log may say of a fault: never the text or the parameters of a statement, which hold clients' figures. */
function loggable(error: Error): object {
  const { code, constraint } = (error.cause ?? error) as { code?: string; constraint?: string };
  const isQuery = error.message.startsWith('Failed query');
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, message: isQuery ? 'a statement failed' : error.message, code, constraint, frames };
}

/** Answers every failure in the one shape of the contract. What is not expected is logged, and told to nobody. */
export function answerError(error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof ApiError ? error : asApiError(error);
  if (!known) {
    // the path without its query: filters and ids of clients stay out of the log
    request.log.error({ method: request.method, path: request.url.split('?')[0], error: loggable(error) }, 'unexpected');
    void reply.status(500).header('cache-control', 'no-store').send({ detail: 'Something went wrong on the server. Nothing was changed.' });
    return;
  }
  if (known.retryAfterMs !== undefined) void reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000));
  void reply
    .status(known.status)
    .header('cache-control', 'no-store')
    .send({ detail: known.detail, ...known.beside });
}

/** Answers an address that cannot even be read, which meets none of the hooks that add headers. */
export function answerBadAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .status(400)
    .headers({
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json',
    })
    .send(JSON.stringify({ detail: 'This address cannot be read' }));
}
