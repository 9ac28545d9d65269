/** A small generator of a typed client from an OpenAPI document, as people who use the API would run one of their own. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
};
type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return `(${either.map(typeOf).join(' | ')})`;
  if (schema.allOf) return `(${schema.allOf.map(typeOf).join(' & ')})`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return schema.prefixItems ? `[${schema.prefixItems.map(typeOf).join(', ')}]` : `(${typeOf(schema.items)})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function objectOf({ properties = {}, required = [], additionalProperties: rest }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  const others = typeof rest === 'object' ? `Record<string, ${typeOf(rest)}>` : '';
  if (fields.length === 0) return others || '{}';
  return [`{ ${fields.join('; ')} }`, ...(others ? [others] : [])].join(' & ');
}

/** Fields of what a call is given, from one kind of its parameters; nothing where it has none. */
function givenIn(kind: Parameter['in'], parameters: readonly Parameter[]): string[] {
  const mine = parameters.filter((parameter) => parameter.in === kind);
  if (mine.length === 0) return [];
  const properties = Object.fromEntries(mine.map(({ name, schema }) => [name, schema]));
  const required = mine.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  return [`${kind}${required.length > 0 ? '' : '?'}: ${objectOf({ properties, required })}`];
}

function operationType({ operationId, parameters, requestBody, responses }: Operation): string {
  const body = requestBody?.content['application/json'];
  const given = [
    ...(['path', 'query', 'header'] as const).flatMap((kind) => givenIn(kind, parameters)),
    ...(requestBody ? [`body: ${body ? typeOf(body.schema) : 'Uint8Array'}`] : []),
  ];
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status))?.[1];
  const answer = success?.content?.['application/json'];
  return `  ${operationId}: { given: { ${given.join('; ')} }; answer: ${answer ? typeOf(answer.schema) : 'null'} };`;
}

/** The text of a module with the types of all operations, and `createClient(origin)`, which keeps cookies and calls them by name. */
export function clientOf({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)};`);
  return [
    `export type Schemas = {\n${schemas.join('\n')}\n};`,
    `export type Operations = {\n${operations.map(({ operation }) => operationType(operation)).join('\n')}\n};`,
    `const PLACES: Record<string, readonly [string, string]> = ${JSON.stringify(
      Object.fromEntries(operations.map(({ path, method, operation }) => [operation.operationId, [method, path]])),
    )};`,
    CLIENT,
  ].join('\n');
}

const CLIENT = `
type Given = { path?: Record<string, string>; query?: Record<string, string>; header?: Record<string, string>; body?: unknown };
export type Reply<T> = { status: number; location: string | null; answer: T };
export function createClient(origin: string) {
  const cookies = new Map<string, string>();
  return async function call<Id extends keyof Operations>(
    id: Id,
    given: Operations[Id]['given'],
  ): Promise<Reply<Operations[Id]['answer']>> {
    const { path = {}, query = {}, header = {}, body } = given as Given;
    const [method, template] = PLACES[id] as readonly [string, string];
    const url = new URL(template.replace(/{(\\w+)}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')), origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...header,
        origin,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const text = await response.text();
    if (response.status >= 400) throw new Error(id + ': ' + response.status + ' ' + text);
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, location: response.headers.get('location'), answer: (isJson ? JSON.parse(text) : null) as Operations[Id]['answer'] };
  };
}
`;
