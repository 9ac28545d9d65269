import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CALCULATORS } from '../../app/features/calculators/catalogue.ts';
import { Decimal } from '../../app/features/calculators/decimal.ts';
import { fromAddress, readNumbers } from '../../app/features/calculators/read-numbers.ts';

type Case = { values: Record<string, string>; expected: Record<string, string | null> };
/** `derive.py` beside it says where these are from. */
const TABLE = JSON.parse(
  readFileSync(join(import.meta.dirname, '../support/calculators/expected.json'), 'utf8'),
) as Record<string, Case[]>;

/** Twelve digits, and where nothing is expected nothing but what sixty digits cannot hold. */
const PART = new Decimal('1e-12');
const NOTHING = new Decimal('1e-40');

function figuresOf(id: string, given: Record<string, string>) {
  const calculator = CALCULATORS.find((one) => one.id === id);
  if (!calculator) throw new Error(`no calculator ${id}`);
  const { texts, unusable } = fromAddress(calculator, given);
  expect(unusable).toEqual([]);
  const { problems, figures } = readNumbers(calculator, texts);
  expect(problems).toEqual({});
  return figures ?? {};
}

test('every calculator has its table, of twelve points or more', () => {
  expect(Object.keys(TABLE).sort()).toEqual(CALCULATORS.map(({ id }) => id).sort());
  for (const [id, cases] of Object.entries(TABLE)) expect(cases.length, id).toBeGreaterThanOrEqual(12);
});

describe.each(Object.entries(TABLE))(
  '%s agrees with what was derived in another way, to twelve digits',
  (id, cases) => {
    test.each(cases.map((one) => [Object.values(one.values).join(' '), one] as const))('%s', (_name, one) => {
      const figures = figuresOf(id, one.values);
      for (const [name, text] of Object.entries(one.expected)) {
        const found = figures[name];
        expect(found, name).not.toBeUndefined();
        if (text === null || !found) {
          expect([name, found]).toEqual([name, text]);
          continue;
        }
        const expected = new Decimal(text);
        const room = expected.isZero() ? NOTHING : expected.abs().times(PART);
        expect(found.minus(expected).abs().lte(room), `${name}: ${found}, expected ${expected}`).toBe(true);
      }
    });
  },
);
