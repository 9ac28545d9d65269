import './check-rows.css';
import type { CheckName, Checks } from '../../../../server/contract/overview.ts';
import { Card } from '../../../ui/card.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { checkWord, healthyCheckOf } from './check-words.ts';
import { DayStrokes } from './day-marks.tsx';

/** Healthy checks, one quiet row each. */
export function CheckRows({ names, checks }: { names: readonly CheckName[]; checks: Checks }) {
  return (
    <Card className="card--rows">
      <ul className="ruled-list">
        {names.map((name) => (
          <li key={name} className="health-row">
            <HealthRow name={name} check={checks[name]} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function HealthRow<N extends CheckName>({ name, check }: { name: N; check: Checks[N] }) {
  const well = healthyCheckOf(name, check);
  return (
    <>
      <Mark state="ink" />
      <b>{checkWord(name)}</b>
      <span className="health-row__line text-small text-muted">{well?.line}</span>
      <span className="health-row__days">
        <DayStrokes name={checkWord(name)} days={check.days} />
      </span>
      <span className="health-row__figure">
        <bdi>{well?.figure}</bdi>
        <small className="text-tiny text-muted">{well?.small}</small>
      </span>
    </>
  );
}
