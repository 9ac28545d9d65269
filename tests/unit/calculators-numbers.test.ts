import { afterEach, describe, expect, test, vi } from 'vitest';
import { CALCULATORS, calculatorOf } from '../../app/features/calculators/catalogue.ts';
import { curveOf, numberAt, positionOf, positionsOf } from '../../app/features/calculators/curve.ts';
import { Decimal } from '../../app/features/calculators/decimal.ts';
import {
  fromAddress,
  initialTexts,
  plainOf,
  readNumbers,
  toAddress,
  typedOf,
} from '../../app/features/calculators/read-numbers.ts';
import { money, percent, quantity } from '../../app/features/calculators/shown.ts';
import { fc, runs } from '../support/chance.ts';

afterEach(() => vi.unstubAllGlobals());
/** A browser whose owner writes numbers as people there do. */
const writingAs = (language: string) => vi.stubGlobal('navigator', { languages: [language] });

describe('what is typed', () => {
  test.each([
    ['1000', '1000'],
    ['1,000', '1000'],
    [' 1,234,567.25 ', '1234567.25'],
    ['1 000', '1000'],
    ['1\u202f000.5', '1000.5'],
    ["1'000", '1000'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['−3', '-3'],
    ['+3', '3'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('%s is %s', (typed, plain) => expect(plainOf(typed)).toBe(plain));

  test.each([
    '1,5',
    '1,00',
    '10,00,0',
    '1.2.3',
    '1e5',
    'Infinity',
    'NaN',
    '0x10',
    '12abc',
    '-',
    '.',
    '--1',
    '١٢',
    '9'.repeat(60),
    '__proto__',
  ])('%s is no number, or one that can be read in two ways', (typed) => expect(plainOf(typed)).toBeNull());

  test('where a comma stands before decimals it is read so, and the field writes it so', () => {
    writingAs('en-ZA');
    const comma = new Intl.NumberFormat('en-ZA').format(1.5).includes(',');
    expect(plainOf(comma ? '1,5' : '1.5')).toBe('1.5');
    expect(plainOf(typedOf('1234.5'))).toBe('1234.5');
    writingAs('en-IN');
    expect(plainOf('12,34,567.5')).toBe('1234567.5');
  });

  test('a field shows every digit of its number, whatever there are of them', () => {
    const plain = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.stringMatching(/^[0-9]{0,29}[1-9]$/))
      .map(([whole, behind]) => `${whole}.${behind}`);
    fc.assert(
      fc.property(plain, (text) => {
        expect(plainOf(typedOf(text))).toBe(text);
      }),
    );
  });
});

describe('an address', () => {
  test('carries numbers out and in again, whichever calculator', () => {
    for (const calculator of CALCULATORS) {
      const texts = initialTexts(calculator);
      const { values } = readNumbers(calculator, texts);
      const query = toAddress(calculator, values ?? {}, texts);
      expect(fromAddress(calculator, query)).toEqual({ texts, unusable: [] });
    }
  });

  test('that is garbage leaves the usual numbers, and says which it could not use', () => {
    const calculator = calculatorOf('impermanent-loss');
    const given = { kind: 'sideways', in: '<script>', was: '1e999', now: '-5', low: '', high: '9'.repeat(400) };
    const read = calculator && fromAddress(calculator, given);
    expect(read?.texts).toEqual(calculator && initialTexts(calculator));
    expect(read?.unusable).toHaveLength(6);
  });

  test('whatever it holds: a result without NaN or Infinity, or words at a field', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('NaN', 'Infinity', '-0', '0', '1e308', '0.000000000000000000000000000001', '1000000000000000000'),
      fc.double().map(String),
      fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
    );
    for (const calculator of CALCULATORS) {
      const names = Object.keys(calculator.inputs);
      fc.assert(
        fc.property(fc.array(hostile, { minLength: names.length, maxLength: names.length }), (given) => {
          const search = Object.fromEntries(names.map((name, index) => [name, given[index] ?? '']));
          const { texts } = fromAddress(calculator, search);
          const { problems, values, figures } = readNumbers(calculator, texts);
          if (!values || !figures) {
            expect(Object.keys(problems)).toHaveLength(1);
            return;
          }
          const { result, note, worked, letters, formula } = calculator;
          const said = [
            JSON.stringify(result(figures, values)),
            note?.(figures, values) ?? '',
            worked(figures, values),
            letters(values),
            formula(values),
          ].join(' ');
          expect(said).not.toMatch(/NaN|Infinity|undefined|\d{20}/);
        }),
        { numRuns: runs(60) },
      );
    }
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is no name of ours', (name) => {
    for (const calculator of CALCULATORS) {
      const read = fromAddress(calculator, JSON.parse(`{"${name}":"1"}`) as Record<string, string>);
      expect(read.unusable).toEqual([]);
    }
    expect(calculatorOf(name)).toBeNull();
  });
});

describe('what is shown', () => {
  test.each([
    [money, '1250', '1,250.00'],
    [money, '0.005', '0.005'],
    [money, '0', '0.00'],
    [money, '-25.258', '−25.26'],
    [money, '1e21', '1 × 10^21'],
    [money, '-1.23456e-12', '−1.235 × 10^−12'],
    [percent, '-0.020204', '−2.02\u00a0%'],
    [percent, '1.5e30', '1.5 × 10^32\u00a0%'],
    [quantity, '0.333333333333', '0.33333333'],
    [quantity, '12345678901.5', '12,345,678,902'],
    [quantity, '9.99999999999e12', '9,999,999,999,990'],
  ] as const)('%o of %s', (show, given, words) => expect(show(new Decimal(given))).toBe(words));
});

describe('every calculator', () => {
  test.each(CALCULATORS.map((one) => [one.id, one] as const))(
    '%s: its example gives what it says',
    (_id, calculator) => {
      const { texts, unusable } = fromAddress(calculator, calculator.example.values as Record<string, string>);
      const { values, figures, problems } = readNumbers(calculator, texts);
      expect([unusable, problems]).toEqual([[], {}]);
      expect(values && figures && calculator.result(figures, values).main).toBe(calculator.example.main);
      expect(values && calculator.source(values).url).toMatch(/^https:\/\/[a-z.-]+\//);
    },
  );

  test.each(CALCULATORS.map((one) => [one.id, one] as const))(
    '%s: its chart has a curve, its own point and a table',
    (_id, calculator) => {
      const { values } = readNumbers(calculator, initialTexts(calculator));
      const curve = values && curveOf(calculator, values);
      expect(curve?.points.length).toBeGreaterThan(40);
      expect(curve?.here).not.toBeNull();
      expect(curve?.table.length).toBeGreaterThan(5);
      expect(curve?.table.some(({ x }) => curve.here?.x.eq(x))).toBe(true);
    },
  );

  test.each(CALCULATORS.map((one) => [one.id, one] as const))(
    '%s: each step of its slider is another number, and the way back',
    (_id, calculator) => {
      const { values } = readNumbers(calculator, initialTexts(calculator));
      const curve = values && curveOf(calculator, values);
      if (!curve) throw new Error('no curve');
      const positions = positionsOf(calculator, curve);
      const all = Array.from({ length: positions + 1 }, (_, position) => numberAt(calculator, curve, position));
      expect(new Set(all.map(String)).size).toBe(positions + 1);
      for (const [position, x] of all.entries())
        expect(Math.round(positionOf(x, curve) * positions), String(x)).toBe(position);
    },
  );
});
