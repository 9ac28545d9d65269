import type { Decimal } from './decimal.ts';

/** Words of the page, made when they are drawn. */
export type Words = () => string;

/** A number that is typed. Its name is the key in `inputs`, and in the address. */
export type NumberInput = {
  kind: 'number';
  label: Words;
  /** Stands at the end of the field: `USD`, `%`. */
  unit?: Words;
  hint?: Words;
  /** What stands there at first, and in place of what an address has that is no such number: a plain decimal. */
  initial: string;
  /** Plain decimals. With `above` the number must be greater than `from`. */
  from: string;
  to: string;
  above?: true;
  whole?: true;
  /** Shares its line with the next one. */
  beside?: true;
  /** Asked for only where a choice has this value; elsewhere it is of no account. */
  when?: { choice: string; is: string };
};
/** One of few, side by side. */
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
/** What is calculated, by name. Null: there is no such number (a price at which nothing can be liquidated). */
export type Figures = Readonly<Record<string, Decimal | null>>;

export type Result = {
  /** Above the number: what it is. */
  label: string;
  /** The one number with its unit. */
  main: string;
  /** The same as a sentence that says what it means. */
  sentence: string;
  parts: readonly { label: string; value: string }[];
};

export type Chart<V, F> = {
  title: Words;
  /** The number along the bottom: the slider sets it. */
  input: string;
  axis: Words;
  scale: 'linear' | 'log';
  /** From where to where it is drawn; wider where the number itself lies outside. */
  range(values: V): { from: Decimal; to: Decimal };
  /** Where the bottom is labelled, and what the table lists; evenly spread numbers where absent. */
  marks?(values: V): Decimal[];
  stops?(values: V): Decimal[];
  height(figures: F): Decimal | null;
  /** The heading of the table's second column. */
  heightName: Words;
  /** A line of which one should know on which side one is. */
  level?: { at: string; label: Words };
  sayAcross(x: Decimal, values: V): string;
  sayHeight(y: Decimal): string;
  /** Shorter, along the edges, where these are long. */
  markAcross?(x: Decimal, values: V): string;
  markHeight?(y: Decimal): string;
};

/** One calculator, whole: what it asks for, what it makes of it, and where that is from. The screen draws any of them. */
export type Calculator<I extends Inputs, F extends Figures> = {
  /** Its place in the address. */
  id: string;
  name: Words;
  /** What it answers, in the list. */
  line: Words;
  lead: Words;
  inputs: I;
  /** What is wrong with numbers that are each possible: the name of an input, and what would be right. */
  conflict?(values: ValuesOf<I>): { input: keyof I & string; problem: string } | null;
  /** The arithmetic. Pure; every number that it is given lies within its input's range. */
  figures(values: ValuesOf<I>): F;
  result(figures: F, values: ValuesOf<I>): Result;
  /** A line below the numbers. */
  note?(figures: F, values: ValuesOf<I>): string;
  /** As it is written in books. */
  formula(values: ValuesOf<I>): string;
  /** What its letters mean. */
  letters(values: ValuesOf<I>): string;
  /** The formula with the reader's numbers. */
  worked(figures: F, values: ValuesOf<I>): string;
  source(values: ValuesOf<I>): { title: string; url: string };
  /** Numbers as they would stand in the address, and the one number that they give. */
  example: { values: Partial<Record<keyof I & string, string>>; main: string };
  chart: Chart<ValuesOf<I>, F>;
  /** The input that a live price can fill. */
  priceInput?: keyof I & string;
};

export type Values = Readonly<Record<string, Decimal | string>>;
/** Any of them, for what treats all alike. */
export type AnyCalculator = Omit<Calculator<Inputs, Figures>, 'figures' | keyof OfValues> & OfValues;
type OfValues = {
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

/** Declares a calculator: its types follow from its inputs and figures. */
export const calculator = <const I extends Inputs, const F extends Figures>(one: Calculator<I, F>): AnyCalculator =>
  // Whoever holds any calculator gives it the values of its own inputs (`read-numbers.ts`).
  one as unknown as AnyCalculator;

export const number = (input: Omit<NumberInput, 'kind'>): NumberInput => ({ kind: 'number', ...input });
export const choice = <const V extends string>(input: Omit<ChoiceInput<V>, 'kind'>): ChoiceInput<V> => ({
  kind: 'choice',
  ...input,
});
