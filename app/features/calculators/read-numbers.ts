/** Numbers as they are typed and as they stand in an address, and what is wrong with them. */

import { regional } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { AnyCalculator, Figures, Input, NumberInput, Values } from './calculator.ts';
import { Decimal } from './decimal.ts';
import { quantity } from './shown.ts';

/** What each input holds, as it was typed; a choice holds its value. */
export type Texts = Readonly<Record<string, string>>;

/** No number of ours needs more, and what is longer is no number. */
const TEXT_MAX = 48;
const PLAIN = /^-?\d{1,30}(\.\d{1,30})?$/;

/** The signs between thousands and before decimals, where this reader lives. */
function signs(): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(regional()).formatToParts(12_345.6);
  const of = (type: string, otherwise: string) => parts.find((one) => one.type === type)?.value ?? otherwise;
  return { group: of('group', ','), decimal: of('decimal', '.') };
}

/** `1,234.5` or `1 234.5` as `1234.5`. Null: it is no number, or one that could be read in two ways (`1,5`). */
export function plainOf(typed: string): string | null {
  const { group, decimal } = signs();
  // Spaces stand between thousands in many places; who pastes a figure brings other minus signs.
  const text = typed
    .trim()
    .replace(/[\s'’]/g, '')
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '');
  if (text.length > TEXT_MAX) return null;
  const [whole = '', behind, ...more] = text.split(decimal);
  const thousands = new RegExp(`^-?\\d{1,3}(${group.replace(/[\s'’]/g, '')}\\d{2,3})*${group}\\d{3}$`);
  const digits =
    group !== '' && whole.includes(group) ? (thousands.test(whole) ? whole.split(group).join('') : null) : whole;
  if (digits === null || more.length > 0) return null;
  const before = digits === '' || digits === '-' ? `${digits}0` : digits;
  const plain = behind === undefined || behind === '' ? before : `${before}.${behind}`;
  // A sign alone is none.
  return PLAIN.test(plain) && /\d/.test(text) ? plain : null;
}

/** A plain decimal as it stands in a field that nobody has typed in yet: all its digits, in the reader's own signs. */
export function typedOf(plain: string): string {
  const [whole = '0', behind] = plain.replace('-', '').split('.');
  const digits = new Intl.NumberFormat(regional()).format(BigInt(whole));
  return `${plain.startsWith('-') ? '-' : ''}${digits}${behind === undefined ? '' : signs().decimal + behind}`;
}

const worded = (plain: string): string => quantity(new Decimal(plain), 15);
function rangeWords({ above, from, to, whole }: NumberInput): string {
  const range = { from: worded(from), to: worded(to) };
  if (whole) return m.calc_wrong_whole(range);
  return above ? m.calc_wrong_above(range) : m.calc_wrong_range(range);
}

const isWithin = (input: NumberInput, value: Decimal): boolean =>
  (input.above ? value.gt(input.from) : value.gte(input.from)) &&
  value.lte(input.to) &&
  (!input.whole || value.isInteger());

/** The number in a field, or what would be right there. */
function numberIn(input: NumberInput, typed: string): { value: Decimal } | { problem: string } {
  if (typed.trim() === '') return { problem: m.calc_wrong_empty() };
  const plain = plainOf(typed);
  if (plain === null) return { problem: m.calc_wrong_form({ example: typedOf('1234.5') }) };
  const value = new Decimal(plain);
  return isWithin(input, value) ? { value } : { problem: rangeWords(input) };
}

const initialText = (input: Input): string => (input.kind === 'choice' ? input.initial : typedOf(input.initial));
/** What every field begins with. */
export const initialTexts = (calculator: AnyCalculator): Texts =>
  Object.fromEntries(Object.entries(calculator.inputs).map(([name, input]) => [name, initialText(input)]));

/** An address is written with a point, whatever the reader's own sign is. Null: it has no such value. */
function textOf(input: Input, given: string): string | null {
  if (input.kind === 'choice') return input.options.some(({ value }) => value === given) ? given : null;
  return PLAIN.test(given) && isWithin(input, new Decimal(given)) ? typedOf(given) : null;
}

/** Fields filled from an address. What is no number of that input is left as it is at first, and named. */
export function fromAddress(calculator: AnyCalculator, search: Texts): { texts: Texts; unusable: string[] } {
  const unusable: string[] = [];
  const texts = Object.entries(calculator.inputs).map(([name, input]): [string, string] => {
    const given = Object.hasOwn(search, name) ? search[name] : undefined;
    const text = given === undefined ? initialText(input) : textOf(input, given);
    if (text === null) unusable.push(input.label());
    return [name, text ?? initialText(input)];
  });
  return { texts: Object.fromEntries(texts), unusable };
}

export const isShown = (input: Input, texts: Texts): boolean =>
  input.kind === 'choice' || input.when === undefined || texts[input.when.choice] === input.when.is;

export type Reading = {
  /** What is wrong, by input. */
  problems: Texts;
  /** Null while something is wrong. */
  values: Values | null;
  figures: Figures | null;
};

/** Reads all fields and calculates. What is not asked for counts as it is at first. */
export function readNumbers(calculator: AnyCalculator, texts: Texts): Reading {
  const problems: Record<string, string> = {};
  const values: Record<string, Decimal | string> = {};
  for (const [name, input] of Object.entries(calculator.inputs)) {
    const text = texts[name] ?? initialText(input);
    if (input.kind === 'choice') values[name] = text;
    else {
      const read = numberIn(input, isShown(input, texts) ? text : initialText(input));
      if ('value' in read) values[name] = read.value;
      else problems[name] = read.problem;
    }
  }
  if (Object.keys(problems).length > 0) return { problems, values: null, figures: null };
  const conflict = calculator.conflict?.(values) ?? null;
  if (conflict) return { problems: { [conflict.input]: conflict.problem }, values: null, figures: null };
  return { problems: {}, values, figures: calculator.figures(values) };
}

/** What an address carries: every number that is asked for, as a plain decimal. */
export function toAddress(calculator: AnyCalculator, values: Values, texts: Texts): Record<string, string> {
  const shown = Object.entries(calculator.inputs).filter(([, input]) => isShown(input, texts));
  return Object.fromEntries(
    shown.map(([name]) => {
      const value = values[name];
      return [name, Decimal.isDecimal(value) ? value.toFixed() : String(value)];
    }),
  );
}
