import './calculator.css';
import { Field } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';
import type { AnyCalculator, Input } from './calculator.ts';
import { isShown } from './read-numbers.ts';
import type { Numbers } from './use-numbers.ts';

type Named = [name: string, input: Input];

/** The fields in rows; two that belong together share one. */
function linesOf(named: readonly Named[]): Named[][] {
  const lines: Named[][] = [];
  for (const [index, one] of named.entries()) {
    const before = named[index - 1]?.[1];
    const line = lines.at(-1);
    if (line?.length === 1 && before?.kind === 'number' && before.beside) line.push(one);
    else lines.push([one]);
  }
  return lines;
}

/** A calculator's fields. An invalid number is explained at its field while it is typed. */
export function NumberFields({ calculator, numbers }: { calculator: AnyCalculator; numbers: Numbers }) {
  const shown = Object.entries(calculator.inputs).filter(([, input]) => isShown(input, numbers.texts));
  return linesOf(shown).map((line) => (
    <div key={line.map(([name]) => name).join()} className={line.length > 1 ? 'calculator__pair' : undefined}>
      {line.map(([name, input]) => (
        <OneInput key={name} name={name} input={input} numbers={numbers} />
      ))}
    </div>
  ));
}

function OneInput({ name, input, numbers }: { name: string; input: Input; numbers: Numbers }) {
  const text = numbers.texts[name] ?? '';
  const set = (value: string) => numbers.set({ [name]: value });
  if (input.kind === 'choice')
    return (
      <Segment
        label={input.label()}
        options={input.options.map(({ value, label }) => ({ value, label: label() }))}
        value={text}
        onChange={set}
      />
    );
  return (
    <Field
      label={input.label()}
      unit={input.unit?.()}
      hint={input.hint?.()}
      error={numbers.problems[name]}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onValue={set}
    />
  );
}
