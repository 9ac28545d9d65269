import './quiz-frame.css';
import { type ReactNode, useEffect } from 'react';
import { number } from '../../lib/format.ts';
import { product } from '../../lib/product.ts';
import type { Target } from '../../lib/target.ts';
import { m } from '../../paraglide/messages.js';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { BackLink } from '../../ui/screen.tsx';

/** A question's position and state in its session. */
export type Stroke = Extract<MarkState, 'ink' | 'refused' | 'pencil' | 'slot'>;

/** One question or a result on its own screen. `strokes` are the session's questions, `at` the current one. */
export function QuizFrame(props: {
  title: string;
  line: string;
  leave: Target & { label: string };
  strokes?: readonly Stroke[];
  at?: number;
  children: ReactNode;
}) {
  const { title, line, leave, strokes, at } = props;
  useEffect(() => {
    document.title = `${title} · ${product.name}`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1} className="quiz-frame">
      <div className="quiz-head">
        <BackLink {...leave} icon="close" />
        <div>
          <p className="text-small">
            <b>{title}</b>
          </p>
          <p className="text-tiny text-muted">{line}</p>
        </div>
        {strokes && at !== undefined && (
          <span
            className="quiz-strokes"
            role="img"
            aria-label={m.quiz_question_of({ n: number(at + 1), all: number(strokes.length) })}
          >
            {strokes.map((stroke, index) => (
              // Strokes are identified by their index.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
              <span key={index} className={index === at ? 'quiz-strokes__now' : undefined}>
                <Mark state={stroke} size={28} />
              </span>
            ))}
          </span>
        )}
      </div>
      {props.children}
    </main>
  );
}

/** The next button, always within a thumb's reach. */
export const QuizFoot = ({ children }: { children: ReactNode }) => (
  <div className="quiz-foot">
    <div className="quiz-foot__row">{children}</div>
  </div>
);
