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

/** Answers every failure in the one shape of the contract. What is not expected is logged, and told to nobody. */
export function answerError(error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof ApiError ? error : asApiError(error);
  if (!known) {
    // the path without its query: filters and ids of clients stay out of the log
    request.log.error(
      { method: request.method, path: request.url.split('?')[0], error: { name: error.name, message: error.message, stack: error.stack } },
      'unexpected',
    );
    void reply.status(500).header('cache-control', 'no-store').send({ detail: 'Something went wrong on the server. Nothing was changed.' });
    return;
  }
  if (known.retryAfterMs !== undefined) void reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000));
  void reply.status(known.status).header('cache-control', 'no-store').send({ detail: known.detail });
}
