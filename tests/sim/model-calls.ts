import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';

const routes = endpoints.map((endpoint) => ({ endpoint, parts: endpoint.path.split('/') }));

/** The call of a method and a path; undefined where the contract has none. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const given = path.split('/');
  const isAt = (parts: readonly string[]): boolean =>
    parts.length === given.length && parts.every((part, at) => part === given[at] || part.startsWith(':'));
  return routes.find(({ endpoint, parts }) => endpoint.method === method && isAt(parts))?.endpoint;
}

/** The parts of a path that a call takes from its input. */
export function partsOf(pattern: string, path: string): Record<string, string> {
  const given = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(given[at] ?? '')]] : [])),
  );
}

/** A query as an input: what is there more than once is a list. */
export function queryOf(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : query.get(name)]),
  );
}
