import type { Decimal } from './decimal.ts';

/** Page text, read at render time. */
export type Words = () => string;

/** A number field. Its name is the key in `inputs` and in the address. */
export type NumberInput = {
  kind: 'number';
  label: Words;
  /** Shown at the end of the field: `USD`, `%`. */
  unit?: Words;
  hint?: Words;
  /** The default, which also replaces an invalid number from an address: a plain decimal. */
  initial: string;
  /** Plain decimals. With `above`, the number must exceed `from`. */
  from: string;
  to: string;
  above?: true;
  whole?: true;
  /** Shares its row with the next field. */
  beside?: true;
  /** Used only while a choice has this value; ignored otherwise. */
  when?: { choice: string; is: string };
};
/** A choice of few, side by side. */
export type ChoiceInput<V extends string = string> = {
  kind: 'choice';
  label: Words;
  options: readonly { value: V; label: Words }[];
  initial: V;
};
export type Input = NumberInput | ChoiceInput;
export type Inputs = Readonly<Record<string, Input>>;

type ValueOf<I> = I extends ChoiceInput<infer V> ? V : Decimal;
export type ValuesOf<I extends Inputs> = { readonly [Name in keyof I]: ValueOf<I[Name]> };
/** Results by name. Null: there is no such number (a liquidation price of a position that cannot be liquidated). */
export type Figures = Readonly<Record<string, Decimal | null>>;

export type Result = {
  /** The label above the number. */
  label: string;
  /** The main number with its unit. */
  main: string;
  /** The result as a sentence that explains it. */
  sentence: string;
  parts: readonly { label: string; value: string }[];
};

export type Chart<V, F> = {
  title: Words;
  /** The number on the horizontal axis, which the slider sets. */
  input: string;
  axis: Words;
  scale: 'linear' | 'log';
  /** The drawn range, extended when the number itself lies outside. */
  range(values: V): { from: Decimal; to: Decimal };
  /** Axis labels and table rows; evenly spaced numbers when absent. */
  marks?(values: V): Decimal[];
  stops?(values: V): Decimal[];
  height(figures: F): Decimal | null;
  /** Heading of the table's second column. */
  heightName: Words;
  /** A threshold line, such as break-even. */
  level?: { at: string; label: Words };
  inputWords(x: Decimal, values: V): string;
  heightWords(y: Decimal): string;
  /** Shorter axis labels, where the numbers are long. */
  markAcross?(x: Decimal, values: V): string;
  markHeight?(y: Decimal): string;
};

/** A complete calculator: its inputs, results and source. The screen draws any of them. */
export type Calculator<I extends Inputs, F extends Figures> = {
  /** Its name in the address. */
  id: string;
  name: Words;
  /** Its description in the list. */
  line: Words;
  lead: Words;
  inputs: I;
  /** An error between numbers that are each valid: the input's name, and what would be valid. */
  conflict?(values: ValuesOf<I>): { input: keyof I & string; problem: string } | null;
  /** The arithmetic. Pure; every input lies within its range. */
  figures(values: ValuesOf<I>): F;
  result(figures: F, values: ValuesOf<I>): Result;
  /** A line below the numbers. */
  note?(figures: F, values: ValuesOf<I>): string;
  /** The textbook formula. */
  formula(values: ValuesOf<I>): string;
  /** Explains the formula's letters. */
  letters(values: ValuesOf<I>): string;
  /** The formula with the reader's numbers filled in. */
  worked(figures: F, values: ValuesOf<I>): string;
  source(values: ValuesOf<I>): { title: string; url: string };
  /** Numbers as in an address, and their main result. */
  example: { values: Partial<Record<keyof I & string, string>>; main: string };
  chart: Chart<ValuesOf<I>, F>;
  /** The input that a live price can fill. */
  priceInput?: keyof I & string;
};

export type Values = Readonly<Record<string, Decimal | string>>;
/** Any calculator, for code that treats all alike. */
export type AnyCalculator = Omit<Calculator<Inputs, Figures>, 'figures' | keyof WithValues> & WithValues;
type WithValues = {
  conflict?(values: Values): { input: string; problem: string } | null;
  figures(values: Values): Figures;
  result(figures: Figures, values: Values): Result;
  note?(figures: Figures, values: Values): string;
  formula(values: Values): string;
  letters(values: Values): string;
  worked(figures: Figures, values: Values): string;
  source(values: Values): { title: string; url: string };
  chart: Chart<Values, Figures>;
};

/** Declares a calculator, inferring its types from its inputs and figures. */
export const calculator = <const I extends Inputs, const F extends Figures>(one: Calculator<I, F>): AnyCalculator =>
  // Callers pass any calculator the values of its own inputs (`read-numbers.ts`).
  one as unknown as AnyCalculator;

export const number = (input: Omit<NumberInput, 'kind'>): NumberInput => ({ kind: 'number', ...input });
export const choice = <const V extends string>(input: Omit<ChoiceInput<V>, 'kind'>): ChoiceInput<V> => ({
  kind: 'choice',
  ...input,
});
