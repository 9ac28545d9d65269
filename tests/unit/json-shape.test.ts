import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HttpError } from '../../server/base/http-error.ts';
import { JSON_VALUES } from '../../server/contract/limits.ts';
import { shapeCounter } from '../../server/http/json-shape.ts';
import { ALL_ROUTES } from '../support/samples.ts';

/** The reason of the refusal, or null where all pieces pass. */
function refused(pieces: readonly Uint8Array[], most: { depth?: number; values?: number }): string | null {
  const count = shapeCounter({ depth: most.depth ?? 1e9, values: most.values ?? 1e9 });
  try {
    for (const piece of pieces) count(piece);
    return null;
  } catch (error) {
    if (error instanceof HttpError) return error.reason;
    throw error;
  }
}
const cut = (json: string, at: number): Uint8Array[] => {
  const bytes = Buffer.from(json);
  return [bytes.subarray(0, at % bytes.length), bytes.subarray(at % bytes.length)];
};

describe('what a JSON text is made of', () => {
  const inside = (value: unknown): unknown[] | null =>
    typeof value === 'object' && value !== null ? Object.values(value) : null;
  const deepest = (value: unknown): number => {
    const inner = inside(value);
    return inner ? 1 + Math.max(0, ...inner.map(deepest)) : 0;
  };
  // What is empty counts as if it held something.
  const values = (value: unknown): number => {
    const inner = inside(value);
    return inner
      ? 1 +
          Math.max(
            1,
            inner.reduce<number>((sum, one) => sum + values(one), 0),
          )
      : 1;
  };

  test('is counted as parsing finds it, wherever the pieces end', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(), (value, at) => {
        const pieces = cut(JSON.stringify(value), at);
        const depth = deepest(value);
        expect(refused(pieces, { depth })).toBeNull();
        if (depth > 0) expect(refused(pieces, { depth: depth - 1 })).toBe('TOO_DEEP');
        const count = values(value);
        expect(refused(pieces, { values: count })).toBeNull();
        if (count > 1) expect(refused(pieces, { values: count - 1 })).toBe('TOO_MANY_VALUES');
      }),
    );
  });

  test('brackets, commas and quotes inside text do not count', () => {
    const json = '{"[[[\\"{{,,,":"}}]],,\\\\"}';
    for (let at = 0; at < json.length; at += 1) {
      expect(refused(cut(json, at), { depth: 1, values: 2 })).toBeNull();
      expect(refused(cut(json, at), { depth: 0 })).toBe('TOO_DEEP');
    }
  });
});

type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
};

/** Values of the largest JSON that a schema takes. */
function most(schema: Schema): number {
  const sum = (parts: readonly Schema[]) => parts.reduce((total, part) => total + most(part), 0);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return Math.max(...either.map(most));
  if (schema.allOf) return sum(schema.allOf);
  if (schema.items) return 1 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * most(schema.items);
  return 1 + sum(Object.values(schema.properties ?? {}));
}

// Telegram's updates are as long as Telegram makes them: at most a hundred reactions and buttons.
const counted = ALL_ROUTES.filter(({ declaration }) => declaration.body && declaration.access !== 'telegram');
test.each(counted)('$key takes fewer than a third of the values that are let through', ({ declaration: { body } }) => {
  const schema = body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  expect(most(schema as Schema)).toBeLessThan(JSON_VALUES / 3);
});
