import { isDeepStrictEqual } from 'node:util';
import type { JSONValue, TransactionSql } from 'postgres';
import * as z from 'zod/mini';
import { ERASED_NAME } from '../../contract/person-limits.ts';
import type { Declaration } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { isId, ownIds } from '../../domain/ids.ts';

/** Ids of what is the person's own, and of what they did to what is another's; `history 12` is an entry of a list of what was done. */
export type Found = { own: ReadonlySet<string>; done: ReadonlySet<string> };

const ANSWERS_AT_ONCE = 200;
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Fields that name an actor. */
const ACTORS = new Set(['by', 'decidedBy', 'madeBy']);
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Takes a person's words out of the answers that are stored for others, found by the ids in them. The answers stay, and so their keys:
 * a command that is sent again is answered and not done again.
 * @param ids of what an answer must name to be looked at
 */
export async function blankAnswers(tx: TransactionSql, ids: readonly string[], found: Found): Promise<void> {
  type Row = { userId: string; key: string; route: string; answer: JSONValue };
  let last = { userId: NOBODY, key: '' };
  for (;;) {
    const rows = await tx<Row[]>`
      select user_id as "userId", key, route, answer from idempotency_keys
      where exists (select from unnest(ids) id where id = any(${[...ids]}::uuid[])) and (user_id, key) > (${last.userId}, ${last.key})
      order by user_id, key limit ${ANSWERS_AT_ONCE}`;
    for (const { userId, key, route, answer } of rows) {
      const blank = withoutWords(route, answer, found);
      if (isDeepStrictEqual(blank, answer)) continue;
      await tx`update idempotency_keys set answer = ${tx.json(blank)} where user_id = ${userId} and key = ${key}`;
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end;
  }
}

/** The part of a schema that distinguishes text from choices. */
type Schema = {
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
};
type Mode = 'keep' | 'actors' | 'all';

/**
 * The answer without what the person wrote or is called: all words of the smallest objects that name what is theirs, and who did it in those
 * that name what they did. Its shape stays: numbers, times, ids and choices among a few words.
 */
function withoutWords(route: string, answer: JSONValue, { own, done }: Found): JSONValue {
  const { output } = (routes as Record<string, Declaration | undefined>)[route] ?? {};
  const schema = output ? (z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Schema) : {};

  const walk = (value: JSONValue, field: string, schemas: Schema[], mode: Mode): JSONValue => {
    if (typeof value === 'string') {
      if (mode === 'keep' || (mode === 'actors' && !ACTORS.has(field))) return value;
      return isWord(value, schemas) ? (ACTORS.has(field) || field === 'displayName' ? ERASED_NAME : '') : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = schemas.flatMap(({ items }) => (typeof items === 'object' ? optionsOf(items) : []));
      return value.map((item) => walk(item as JSONValue, field, items, mode));
    }
    const within = modeOf(value, field, mode);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        walk(
          inner as JSONValue,
          name,
          schemas.flatMap((one) => fieldOf(one, name)),
          within,
        ),
      ]),
    );
  };
  const modeOf = (object: object, field: string, outer: Mode): Mode => {
    const ids = ownIds(object);
    if (outer === 'all' || ids.some((id) => own.has(id))) return 'all';
    const isDone = ids.some((id) => done.has(id)) || ('id' in object && done.has(`${field} ${object.id}`));
    return isDone ? 'actors' : outer;
  };
  return walk(answer, '', optionsOf(schema), 'keep');
}

const optionsOf = (schema: Schema): Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(optionsOf),
];

function fieldOf({ properties, additionalProperties }: Schema, name: string): Schema[] {
  const field = properties?.[name] ?? additionalProperties;
  return typeof field === 'object' ? optionsOf(field) : [];
}

const isWord = (text: string, schemas: readonly Schema[]): boolean =>
  !isId(text) && !INSTANT.test(text) && !schemas.some((one) => one.const === text || one.enum?.includes(text));
