import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { JSON_BODY_BYTES } from '../contract/limits.ts';
import type { Declaration } from '../contract/route.ts';
import { WEBHOOK_EVENTS } from '../contract/webhook-events.ts';

type Json = Record<string, unknown>;

/** Formats defined by OpenAPI. Other formats of the schemas have a pattern, which says everything. */
const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date', 'time', 'uri', 'email', 'ipv4', 'ipv6']);

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (!FORMATS.has(jsonSchema.format)) delete jsonSchema.format;
    },
  });
  return rest;
}

const capitalised = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

/** Name of a route by its key, as clients call it: `getHealth`, `postCommunityTaskClaims`, `getPersonBySlug`. */
export function operationId(key: string): string {
  const [method = '', path = ''] = key.split(' ');
  const parts = path.split('/').filter((part, at) => part !== '' && !(at === 1 && part === 'api'));
  const named = parts.map((part, at) => {
    if (part.startsWith(':')) return '';
    return capitalised(parts[at + 1]?.startsWith(':') ? singular(part) : part);
  });
  const last = parts.at(-1) ?? '';
  return `${method.toLowerCase()}${named.join('')}${last.startsWith(':') ? `By${capitalised(last.slice(1))}` : ''}`;
}

/** The declarations as an OpenAPI 3.1 document: every route of the contract, every event of a webhook, and nothing else. */
export function openApi(
  declarations: Readonly<Record<string, Declaration>>,
  info: { title: string; version: string; server: string; cookie: string },
): Json {
  const paths: Record<string, Json> = {};
  for (const [key, declaration] of Object.entries(declarations)) {
    const [method = '', path = ''] = key.split(' ');
    const name = path.replace(/:(\w+)/g, '{$1}');
    paths[name] = { ...paths[name], [method.toLowerCase()]: operation(key, path, declaration) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${info.title} API`,
      version: info.version,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // A loopback address means nothing to other readers: without `servers` the document's own origin counts.
    servers: [{ url: /^https?:\/\/(localhost|127\.)/.test(info.server) ? '/' : info.server }],
    paths,
    webhooks: Object.fromEntries(Object.entries(WEBHOOK_EVENTS).map(webhook)),
    components: {
      schemas: { ApiError: schemaOf(ApiError, 'output') },
      responses: Object.fromEntries(Object.values(ERROR_RESPONSES).map(({ name, ...response }) => [name, response])),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: info.cookie },
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'mk_…' },
        telegram: { type: 'apiKey', in: 'header', name: 'X-Telegram-Bot-Api-Secret-Token' },
      },
    },
  };
}

const webhook = ([event, [when, data]]: [string, readonly [string, string]]): [string, Json] => {
  const text = { type: 'string' };
  const properties = {
    id: text,
    event: { const: event },
    communityId: text,
    at: text,
    data: { type: 'object', description: data },
  };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const post = {
    operationId: `on${capitalised(event)}`,
    summary: when,
    security: [],
    requestBody: { content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received' }, '4XX': { description: 'Not received: it is sent again later' } },
  };
  return [event, { post }];
};

function operation(key: string, path: string, declaration: Declaration): Json {
  const { access, body, output, bodyTypes, fileTypes, status = 200 } = declaration;
  return {
    operationId: operationId(key),
    summary: declaration.summary,
    'x-access': access,
    'x-per-minute': declaration.perMinute,
    'x-body-bytes': declaration.bodyBytes ?? JSON_BODY_BYTES,
    security: [
      ...(access === 'public' ? [] : [{ [access === 'telegram' ? 'telegram' : 'session']: [] }]),
      ...(declaration.scope === undefined ? [] : [{ key: [declaration.scope] }]),
    ],
    parameters: [...pathParameters(path), ...queryParameters(declaration.query), ...keyParameter(declaration)],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
      : {}),
    ...(bodyTypes ? { requestBody: { required: true, content: binary(bodyTypes) } } : {}),
    ...(declaration.scope ? { 'x-api-key-scope': declaration.scope } : {}),
    responses: {
      [status]: {
        description: status === 302 ? 'Redirect' : 'Done',
        ...(output ? { content: { 'application/json': { schema: schemaOf(output, 'output') } } } : {}),
        ...(fileTypes ? { content: binary(fileTypes) } : {}),
        ...(declaration.stream
          ? { content: Object.fromEntries(declaration.stream.map((type) => [type, { schema: { type: 'string' } }])) }
          : {}),
      },
      ...Object.fromEntries(
        refusedWith(path, declaration).map((code) => [
          code,
          { $ref: `#/components/responses/${ERROR_RESPONSES[code].name}` },
        ]),
      ),
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

const response = (name: string, description: string) => ({
  name,
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
});
/** Error responses; `reason` says more. */
const ERROR_RESPONSES = {
  400: response('BadRequest', 'What was sent is not what the route takes'),
  401: response('Unauthorized', 'Nobody is signed in, or the key is none'),
  403: response('Forbidden', 'Whoever is signed in may not'),
  404: response('NotFound', 'There is no such thing, or it must not be known of'),
  409: response('Conflict', 'It was done already, or what is there does not allow it'),
  413: response('TooLarge', 'The body is larger than the route takes'),
  429: response('TooMany', 'Too many calls; Retry-After says when to go on'),
  default: response('Refused', 'Refused for another reason, or the server failed'),
};
type ErrorResponseName = Exclude<keyof typeof ERROR_RESPONSES, 'default'>;

function refusedWith(path: string, { access, body, bodyTypes, query, idempotent }: Declaration): ErrorResponseName[] {
  const hasBody = body !== undefined || bodyTypes !== undefined;
  const hasInput = hasBody || query !== undefined || path.includes('/:');
  const found: (ErrorResponseName | false)[] = [
    hasInput && 400,
    access !== 'public' && 401,
    access !== 'public' && 403,
    path.includes('/:') && 404,
    idempotent === true && 409,
    hasBody && 413,
    429,
  ];
  return found.filter((code) => code !== false);
}

const binary = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'communityId' ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters(query: z.ZodMiniType | undefined): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function keyParameter(declaration: Declaration): Json[] {
  if (!declaration.idempotent) return [];
  const schema = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' };
  return [{ name: 'Idempotency-Key', in: 'header', required: true, schema }];
}
