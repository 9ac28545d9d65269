import './result-board.css';
import { m } from '../../paraglide/messages.js';
import type { Result } from './calculator.ts';

/** The result: the main number, a sentence that explains it, then its parts. Null while a number is invalid. */
export function ResultBoard({ result }: { result: Result | null }) {
  return (
    <section className="board calculator-result" aria-label={result?.label ?? m.calc_waiting()}>
      <div role="status">
        <p className="board__label">{result?.label ?? m.calc_waiting()}</p>
        <p className="board__number calculator-result__main">
          <bdi dir="ltr">{result?.main ?? m.calc_no_main()}</bdi>
        </p>
        <p className="board__label">{result?.sentence ?? m.calc_waiting_line()}</p>
      </div>
      {result && (
        <dl>
          {result.parts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi dir="ltr">{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
