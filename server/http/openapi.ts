import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { JSON_BODY_BYTES } from '../contract/limits.ts';
import type { Declaration } from '../contract/route.ts';

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** The declarations as an OpenAPI 3.1 document: every route of the contract and nothing else. */
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
    info: { title: `${info.title} API`, version: info.version },
    servers: [{ url: info.server }],
    paths,
    components: {
      schemas: { ApiError: schemaOf(ApiError, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: info.cookie },
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'mk_…' },
        telegram: { type: 'apiKey', in: 'header', name: 'X-Telegram-Bot-Api-Secret-Token' },
      },
    },
  };
}

function operation(key: string, path: string, declaration: Declaration): Json {
  const { access, body, output, bodyTypes, fileTypes, status = 200 } = declaration;
  return {
    operationId: key,
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
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
      },
    },
  };
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
