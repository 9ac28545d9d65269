/** Whether a page of an earlier release is served by this one: two contracts, as OpenAPI writes their routes, held beside each other. */

type Schema = Readonly<Record<string, unknown>>;
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};
export type Paths = Record<string, Record<string, unknown>>;

/** A request goes from an old page to the new server, an answer comes back. */
type Way = 'request' | 'answer';

const LIMITS = { maxLength: -1, maximum: -1, maxItems: -1, minLength: 1, minimum: 1, minItems: 1 } as const;
const JSON_TYPE = 'application/json';

/** What an old page would notice of the new contract, a line each. */
export function breaks(old: Paths, now: Paths): string[] {
  return Object.entries(old).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const next = now[path]?.[method];
      return next ? ofRoute(operation as Operation, next as Operation, at) : [`${at} is gone`];
    }),
  );
}

function ofRoute(old: Operation, now: Operation, at: string): string[] {
  const nameOf = (one: { name: string; in: string }) => `${one.in} ${one.name}`;
  const before = new Map((old.parameters ?? []).map((one) => [nameOf(one), one]));
  const after = new Map((now.parameters ?? []).map((one) => [nameOf(one), one]));
  const asked = [...after].filter(([name, one]) => one.required && !before.get(name)?.required);
  const parameters = [...before].flatMap(([name, one]) => {
    const next = after.get(name);
    if (!next) return [`${at}: ${name} is gone`];
    return ofSchema(one.schema ?? {}, next.schema ?? {}, 'request', `${at}: ${name}`);
  });
  const [status = '', answer] = Object.entries(old.responses)[0] ?? [];
  const bodies = [old.requestBody, now.requestBody].map((body) => body?.content[JSON_TYPE]?.schema);
  const answers = [answer, now.responses[status]].map((one) => one?.content?.[JSON_TYPE]?.schema);
  return [
    ...asked.map(([name]) => `${at}: ${name} is newly required`),
    ...parameters,
    ...(now.responses[status] ? [] : [`${at} answers ${status} no more`]),
    ...ofBoth(bodies, 'request', `${at} takes`),
    ...ofBoth(answers, 'answer', `${at} answers`),
  ];
}

function ofBoth([old, now]: (Schema | undefined)[], way: Way, at: string): string[] {
  if (old && now) return ofSchema(old, now, way, at);
  if (way === 'request') return now ? [`${at} a body that it did not ask for`] : [];
  return old ? [`${at} no JSON any more`] : [];
}

const variantsOf = (schema: Schema): Schema[] => (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as Schema[];

function ofSchema(old: Schema, now: Schema, way: Way, at: string): string[] {
  const [before, after] = [variantsOf(old), variantsOf(now)];
  if (before.length === 1 && after.length === 1) return ofVariant(before[0] ?? {}, after[0] ?? {}, way, at);
  // Each old variant has to fit one of the new ones; the closest one names what is wrong.
  return before.flatMap((one) => {
    const troubles = after.map((next) => ofVariant(one, next, way, at));
    return troubles.reduce((least, next) => (next.length < least.length ? next : least), troubles[0] ?? []);
  });
}

function ofVariant(old: Schema, now: Schema, way: Way, at: string): string[] {
  if (Array.isArray(old['anyOf'] ?? old['oneOf'] ?? now['anyOf'] ?? now['oneOf'])) return ofSchema(old, now, way, at);
  return [...ofValues(old, now, way, at), ...ofProperties(old, now, way, at), ...ofItems(old, now, way, at)];
}

const typesOf = (schema: Schema): unknown[] => [schema['type'] ?? []].flat();
const valuesOf = (schema: Schema): unknown[] | null =>
  (schema['enum'] as unknown[] | undefined) ?? ('const' in schema ? [schema['const']] : null);

/** What may be sent stays allowed; what is answered stays of its type. A new word in an answer is an addition. */
function ofValues(old: Schema, now: Schema, way: Way, at: string): string[] {
  const [wide, narrow] = way === 'request' ? [now, old] : [old, now];
  const isAllowed = (type: unknown) =>
    typesOf(wide).includes(type) || (type === 'integer' && typesOf(wide).includes('number'));
  const types = typesOf(wide).length === 0 ? [] : typesOf(narrow).filter((type) => !isAllowed(type));
  const found = types.map((type) => `${at}: ${type} is no type of it`);
  const values = valuesOf(now);
  if (values) {
    const before = valuesOf(old);
    const gone = before?.filter((value) => !values.includes(value)) ?? [];
    // Of two forms the word says which is which.
    if (way === 'request' || ('const' in old && 'const' in now))
      found.push(...gone.map((value) => `${at}: ${value} is gone`));
    if (way === 'request' && !before) found.push(`${at}: only ${values} are taken`);
  }
  if (way === 'answer') return found;
  for (const [name, sign] of Object.entries(LIMITS)) {
    const [limit, before] = [now[name], old[name]];
    if (typeof limit !== 'number') continue;
    if (typeof before === 'number' ? (limit - before) * sign > 0 : sign < 0 || limit > 0)
      found.push(`${at}: ${name} is ${limit}, and was ${before ?? 'none'}`);
  }
  return found;
}

function ofProperties(old: Schema, now: Schema, way: Way, at: string): string[] {
  const before = (old['properties'] ?? {}) as Record<string, Schema>;
  const after = (now['properties'] ?? {}) as Record<string, Schema>;
  const required = (schema: Schema) => (schema['required'] ?? []) as string[];
  const [asks, gives] = way === 'request' ? [now, old] : [old, now];
  const lacking = required(asks).filter((name) => !required(gives).includes(name));
  const isOpen = way === 'request' && now['additionalProperties'] !== false;
  return [
    ...lacking.map((name) => `${at}: ${name} ${way === 'request' ? 'is newly required' : 'may be missing'}`),
    ...Object.entries(before).flatMap(([name, one]) => {
      const next = after[name];
      if (next) return ofSchema(one, next, way, `${at}.${name}`);
      return isOpen ? [] : [`${at}: ${name} is gone`];
    }),
  ];
}

function ofItems(old: Schema, now: Schema, way: Way, at: string): string[] {
  return ['items', 'additionalProperties'].flatMap((name) => {
    const [before, after] = [old[name], now[name]];
    if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return [];
    return ofSchema(before as Schema, after as Schema, way, `${at}[]`);
  });
}
