import './calculator.css';
import { listing } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button, OutLink } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { AnyCalculator, Values } from './calculator.ts';
import { CurveChart } from './curve-chart.tsx';
import { LivePrice } from './live-price.tsx';
import { NotAdvice } from './not-advice.tsx';
import { NumberFields } from './number-fields.tsx';
import { typedOf } from './read-numbers.ts';
import { ResultBoard } from './result-board.tsx';
import { ShareNumbers } from './share-numbers.tsx';
import { type Numbers, useNumbers } from './use-numbers.ts';

const LIST_PATH = '/ai-defi-tools';

export function CalculatorPage({ calculator }: { calculator: AnyCalculator }) {
  const numbers = useNumbers(calculator);
  const { figures, values, unusable } = numbers;
  const found = figures && values ? { figures, values } : null;
  const { priceInput } = calculator;
  return (
    <Screen title={calculator.name()} lead={calculator.lead()} back={{ to: LIST_PATH, label: m.calc_back() }}>
      {unusable.length > 0 && (
        <p className="calculator__notice" role="status">
          <Icon name="info" />
          {m.calc_unusable({ names: listing([...unusable]) })}
        </p>
      )}
      <div className="calculator">
        <div className="calculator__side">
          <form className="calculator__form" aria-label={m.calc_form()} onSubmit={(event) => event.preventDefault()}>
            <NumberFields calculator={calculator} numbers={numbers} />
            <div className="calculator__foot">
              <p className="text-small text-muted">{found && calculator.note?.(found.figures, found.values)}</p>
              <Button kind="words" icon="retry" onClick={numbers.startAgain}>
                {m.calc_start_again()}
              </Button>
            </div>
          </form>
          {priceInput && (
            <LivePrice
              field={calculator.inputs[priceInput]?.label() ?? ''}
              onPrice={(plain) => numbers.set({ [priceInput]: typedOf(plain) })}
            />
          )}
        </div>
        <div className="calculator__main">
          <ResultBoard result={found && calculator.result(found.figures, found.values)} />
          {values && (
            <section>
              <SectionHead title={calculator.chart.title()} />
              <CurveChart
                calculator={calculator}
                values={values}
                onMove={(x) => numbers.set({ [calculator.chart.input]: typedOf(x.toFixed()) })}
              />
            </section>
          )}
        </div>
        <div className="calculator__more">
          {found && <Formula calculator={calculator} numbers={numbers} found={found} />}
          {numbers.query && (
            <ShareNumbers path={`${LIST_PATH}/${calculator.id}`} title={calculator.name()} query={numbers.query} />
          )}
          <NotAdvice />
        </div>
      </div>
    </Screen>
  );
}

type Found = { figures: NonNullable<Numbers['figures']>; values: Values };

/** The textbook formula, with the reader's numbers, and its source. */
function Formula({
  calculator,
  numbers,
  found: { figures, values },
}: {
  calculator: AnyCalculator;
  numbers: Numbers;
  found: Found;
}) {
  const source = calculator.source(values);
  return (
    <section>
      <SectionHead title={m.calc_formula()} />
      <div className="stack">
        <p className="calculator__formula">
          <bdi dir="ltr">{calculator.formula(values)}</bdi>
        </p>
        <p className="text-small">{calculator.letters(values)}</p>
        <p className="text-small">{m.calc_with_yours({ worked: calculator.worked(figures, values) })}</p>
        <p className="calculator__source">
          <Icon name="link" />
          <span>
            {m.calc_source()}{' '}
            <OutLink className="text-link" href={source.url} rel="noreferrer">
              {source.title}
            </OutLink>
          </span>
        </p>
        <details className="disclosure">
          <summary>{m.calc_example()}</summary>
          <p className="text-small">
            {m.calc_example_line({ numbers: exampleWords(calculator), main: calculator.example.main })}
          </p>
          <Button kind="words" onClick={() => numbers.set(exampleTexts(calculator))}>
            {m.calc_example_use()}
          </Button>
        </details>
      </div>
    </section>
  );
}

const exampleTexts = ({ example, inputs }: AnyCalculator): Record<string, string> =>
  Object.fromEntries(
    Object.entries(example.values).map(([name, plain = '']) => [
      name,
      inputs[name]?.kind === 'number' ? typedOf(plain) : plain,
    ]),
  );

/** `You put in 1,000 USD, Price then 2,000 USD` */
function exampleWords(calculator: AnyCalculator): string {
  const words = Object.entries(exampleTexts(calculator)).flatMap(([name, text]) => {
    const input = calculator.inputs[name];
    if (!input) return [];
    if (input.kind === 'choice') return input.options.find(({ value }) => value === text)?.label() ?? [];
    return `${input.label()} ${text}${input.unit ? `\u00a0${input.unit()}` : ''}`;
  });
  return listing(words);
}
