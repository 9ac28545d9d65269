import './attention.css';
import { useId } from 'react';
import type { CheckName, Checks } from '../../../../server/contract/overview.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { stampTime } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { checkWord, failingCheckOf } from './check-words.ts';
import { DayMarks } from './day-marks.tsx';

/** A check that needs attention: what is wrong, since when, what it means, and where to fix it. */
export function Attention<N extends CheckName>({ name, check }: { name: N; check: Checks[N] }) {
  const { title, line, command, code, fix } = failingCheckOf(name, check);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="attention">
        <Mark state={check.state === 'failed' ? 'refused' : check.state === 'unknown' ? 'slot' : 'changes'} />
        <div className="attention__words">
          <h3 id={id}>{title}</h3>
          <p className="text-small text-muted">
            {check.since !== null && <b>{m.desk_since({ time: stampTime(check.since) })}. </b>}
            {line}
          </p>
          {command && <code className="attention__command">{command}</code>}
          {code && (
            <p className="attention__code">
              <bdi>{inert(code)}</bdi>
            </p>
          )}
          <p className="text-small">
            <b>{m.desk_way_out()}:</b> {inert(check.wayOut)}
          </p>
          <p className="text-tiny text-muted">{m.desk_way_out_more({ name })}</p>
          {fix && (
            <div className="actions">
              <ButtonLink kind="edge" {...fix.link}>
                {fix.label}
              </ButtonLink>
            </div>
          )}
        </div>
        <DayMarks name={checkWord(name)} days={check.days} />
      </Card>
    </section>
  );
}
