import './quiz-frame.css';
import { type ReactNode, useEffect } from 'react';
import { number } from '../../lib/format.ts';
import { product } from '../../lib/product.ts';
import type { Target } from '../../lib/target.ts';
import { m } from '../../paraglide/messages.js';
import { Mark, type MarkState } from '../../ui/icon.tsx';
import { BackLink } from '../../ui/screen.tsx';

/** Where one question stands among those of a session. */
export type Stroke = Extract<MarkState, 'ink' | 'refused' | 'pencil' | 'slot'>;

/** One question, or a result: it has the screen to itself. `strokes` are all questions of the session, `at` the one that is asked. */
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
              // Strokes have no name but their place.
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

/** What is pressed next, always within reach of a thumb. */
export const QuizFoot = ({ children }: { children: ReactNode }) => (
  <div className="quiz-foot">
    <div className="quiz-foot__row">{children}</div>
  </div>
);
