import { z } from 'zod';
import { type Endpoint, pathParts } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { errorBodySchema, staleBodySchema } from '#contract/errors.ts';

interface JsonSchema {
  properties?: Record<string, unknown>;
  required?: string[];
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

const restsOnWords = (field: string): string =>
  `Beside If-Match: the version of the row that ${field} names, as "3". In any other version the change is refused with 409.`;
const ifMatchWords = 'The version of the row this change was made on, as "3"; "0" for none. In any other version it is refused with 412.';

const answerTypes = { json: 'application/json', events: 'text/event-stream', file: 'application/octet-stream' } as const;

function operationOf(endpoint: Endpoint): object {
  const input = schemaOf(endpoint.input, 'input');
  const parts = pathParts(endpoint.path);
  const properties = Object.entries(input.properties ?? {});
  const inPath = properties
    .filter(([name]) => parts.includes(name))
    .map(([name, schema]) => ({ name, in: 'path', required: true, schema }));
  const rest = properties.filter(([name]) => !parts.includes(name));
  const required = (input.required ?? []).filter((name) => !parts.includes(name));
  const parameters =
    endpoint.sendAs === 'query' ? rest.map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema })) : [];
  const bodySchema = { type: 'object', properties: Object.fromEntries(rest), required };
  const bodies: Record<Endpoint['sendAs'], object> = {
    query: {},
    json: { requestBody: { content: { 'application/json': { schema: bodySchema } } } },
    form: { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: bodySchema } } } },
    multipart: {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              ...bodySchema,
              properties: { ...bodySchema.properties, file: { type: 'string', format: 'binary' } },
              required: [...required, 'file'],
            },
          },
        },
      },
    },
  };
  const version = { in: 'header', required: false, schema: { type: 'string', pattern: '^"\\d{1,15}"$' } };
  const headers = [
    ...(endpoint.ifMatch ? [{ name: 'If-Match', description: ifMatchWords, ...version }] : []),
    ...(endpoint.restsOn === undefined ? [] : [{ name: 'X-Rests-On', description: restsOnWords(endpoint.restsOn), ...version }]),
  ];
  const stale = {
    description: 'The row was changed meanwhile',
    content: { 'application/json': { schema: schemaOf(staleBodySchema, 'output') } },
  };
  const type = answerTypes[endpoint.answerAs ?? 'json'];
  const refused = { description: 'Refused', content: { 'application/json': { schema: schemaOf(errorBodySchema, 'output') } } };
  return {
    operationId: endpoint.name,
    'x-permission': endpoint.permission,
    ...(endpoint.permission === 'anyone' ? { security: [] } : {}),
    parameters: [...inPath, ...parameters, ...headers],
    ...bodies[endpoint.sendAs],
    responses: {
      200: { description: 'Done', content: { [type]: { schema: schemaOf(endpoint.output, 'output') } } },
      ...(endpoint.ifMatch ? { 412: stale } : {}),
      default: refused,
    },
  };
}

/** The API as an OpenAPI 3.1 document, made from the contract alone. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tieout API', version },
    servers: [{ url: '/api' }],
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'tieout_access' } } },
    security: [{ session: [] }],
    paths,
  };
}
