/** Parses numbers from fields and addresses, and explains invalid ones. */

import { regional } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { AnyCalculator, Figures, Input, NumberInput, Values } from './calculator.ts';
import { Decimal } from './decimal.ts';
import { quantity } from './shown.ts';

/** Each input's text as typed; a choice's value. */
export type Texts = Readonly<Record<string, string>>;

/** Longer texts are never valid numbers. */
const TEXT_MAX = 48;
const PLAIN = /^-?\d{1,30}(\.\d{1,30})?$/;

/** The reader's separators for thousands and decimals. */
function signs(): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(regional()).formatToParts(12_345.6);
  const partOf = (type: string, otherwise: string) => parts.find((one) => one.type === type)?.value ?? otherwise;
  return { group: partOf('group', ','), decimal: partOf('decimal', '.') };
}

/** `1,234.5` or `1 234.5` as `1234.5`. Null for no number, or an ambiguous one (`1,5`). */
export function plainOf(typed: string): string | null {
  const { group, decimal } = signs();
  // Many regions separate thousands by spaces, and pasted figures have other minus signs.
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
  // A sign without digits is no number.
  return PLAIN.test(plain) && /\d/.test(text) ? plain : null;
}

/** A plain decimal as the text of an untouched field: all digits, with the reader's separators. */
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

/** A field's number, or what would be valid. */
function numberIn(input: NumberInput, typed: string): { value: Decimal } | { problem: string } {
  if (typed.trim() === '') return { problem: m.calc_wrong_empty() };
  const plain = plainOf(typed);
  if (plain === null) return { problem: m.calc_wrong_form({ example: typedOf('1234.5') }) };
  const value = new Decimal(plain);
  return isWithin(input, value) ? { value } : { problem: rangeWords(input) };
}

const initialText = (input: Input): string => (input.kind === 'choice' ? input.initial : typedOf(input.initial));
export const initialTexts = (calculator: AnyCalculator): Texts =>
  Object.fromEntries(Object.entries(calculator.inputs).map(([name, input]) => [name, initialText(input)]));

/** Addresses use a decimal point in every locale. Null when the value is invalid. */
function textOf(input: Input, given: string): string | null {
  if (input.kind === 'choice') return input.options.some(({ value }) => value === given) ? given : null;
  return PLAIN.test(given) && isWithin(input, new Decimal(given)) ? typedOf(given) : null;
}

/** Fields filled from an address. Invalid values keep their default and are reported. */
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
  /** Problems by input. */
  problems: Texts;
  /** Null while there is a problem. */
  values: Values | null;
  figures: Figures | null;
};

/** Reads all fields and calculates. Unused fields count with their default. */
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

/** The address's parameters: every used number as a plain decimal. */
export function toAddress(calculator: AnyCalculator, values: Values, texts: Texts): Record<string, string> {
  const shown = Object.entries(calculator.inputs).filter(([, input]) => isShown(input, texts));
  return Object.fromEntries(
    shown.map(([name]) => {
      const value = values[name];
      return [name, Decimal.isDecimal(value) ? value.toFixed() : String(value)];
    }),
  );
}
