import './tools.css';
import { useMemo, useState } from 'react';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerGroup } from '../../shared/answers/answer-group.tsx';
import { groupSimilar, LEAST_WORDS, NEARLY_THE_SAME } from '../../shared/answers/likeness.ts';
import { BoardPanel } from '../../ui/board.tsx';
import { Card } from '../../ui/card.tsx';
import { Segment } from '../../ui/segment.tsx';
import { ForLeaders } from './parts.tsx';
import { PasteAnswers, useAnswers } from './paste-answers.tsx';

/** Minimum overlap of each level. */
const LEVELS = { near: NEARLY_THE_SAME, alike: 0.3 } as const;
type Level = keyof typeof LEVELS;

/** Finds nearly identical answers in a pasted text. */
export function AnswerChecker() {
  const given = useAnswers('tool:answers');
  const { answers } = given;
  const [level, setLevel] = useState<Level>('near');
  const found = useMemo(() => groupSimilar(answers, LEVELS[level]), [answers, level]);
  const alike = found.groups.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <>
      <ForLeaders>{m.tools_check_lead()}</ForLeaders>
      <div className="tool-columns">
        <PasteAnswers given={given} />
        <div className="stack-medium">
          <div className="tool-result">
            <BoardPanel
              label={m.tools_check_region()}
              heading={m.tools_answers_count({ count: answers.length, n: number(answers.length) })}
              value={
                answers.length > 1 && found.groups.length === 0
                  ? m.tools_check_clean()
                  : m.tools_check_groups({ count: found.groups.length, n: number(found.groups.length) })
              }
              note={
                answers.length < 2
                  ? m.tools_check_none_yet()
                  : alike > 0 && m.tools_check_members({ count: alike, n: number(alike), of: number(answers.length) })
              }
            >
              {found.short > 0 && (
                <p className="text-small">{m.tools_check_short({ count: found.short, n: number(found.short) })}</p>
              )}
            </BoardPanel>
          </div>
          <Segment
            label={m.tools_check_level()}
            options={[
              { value: 'near', label: m.tools_check_near() },
              { value: 'alike', label: m.tools_check_alike() },
            ]}
            value={level}
            onChange={setLevel}
          />
          <details className="disclosure">
            <summary>{m.tools_check_how()}</summary>
            <p className="text-small">{m.tools_check_how_line({ n: number(LEAST_WORDS) })}</p>
          </details>
        </div>
      </div>
      <ol className="stack-medium tool-groups">
        {found.groups.map(({ members }) => (
          <li key={members[0]?.at}>
            <Card>
              <AnswerGroup
                members={members.map(({ at, likeness }) => ({
                  key: String(at),
                  name: m.tools_check_answer({ n: number(at + 1) }),
                  text: answers[at] ?? '',
                  likeness,
                }))}
              />
            </Card>
          </li>
        ))}
      </ol>
    </>
  );
}
