import './sample.css';
import { useEffect, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { TaskCard } from '../../ui/card.tsx';
import { Tally } from '../../ui/icon.tsx';

type Stage = 'pencil' | 'sending' | 'received' | 'ink';
/** How long each stage is shown, in ms: time to read it. */
const STANDS: Record<Stage, { for: number; next: Stage } | null> = {
  pencil: null,
  sending: { for: 900, next: 'received' },
  received: { for: 1_300, next: 'ink' },
  ink: null,
};
const DAYS_BEFORE = 12;

/** A day of sample claims, drawn as in the app. The first one is interactive: with a signal it goes to ink. */
export function Sample() {
  const [stage, setStage] = useState<Stage>('pencil');
  useEffect(() => {
    const step = STANDS[stage];
    if (!step) return;
    const timer = setTimeout(() => setStage(step.next), step.for);
    return () => clearTimeout(timer);
  }, [stage]);
  const meta = {
    pencil: m.public_sample_saved({ device: m.public_device_phone() }),
    sending: m.public_sample_sending(),
    received: m.public_sample_got(),
    ink: m.public_sample_counted(),
  }[stage];
  const counted = stage === 'ink';
  const days = DAYS_BEFORE + (counted ? 1 : 0);
  return (
    <section className="sample" aria-label={m.public_sample_name()}>
      <h2 className="text-tiny sample__caption">
        {stage === 'pencil' ? m.public_sample_cap_off() : m.public_sample_cap_on()}
      </h2>
      <div className={`sample__live sample__live--${stage}`} aria-live="polite">
        <TaskCard mark={stage} title={m.public_sample_checkin()} meta={meta} points={10} />
      </div>
      <TaskCard mark="received" title={m.public_sample_ford()} meta={m.public_sample_ford_meta()} points={30} />
      <TaskCard mark="ink" title={m.public_sample_path()} meta={m.public_sample_path_meta()} points={80} />
      <div className="sample__foot">
        <div className="flex-grow">
          <p className="text-tiny text-muted">{m.public_sample_streak()}</p>
          <b>{m.public_sample_days({ days })}</b>
        </div>
        <div className="sample__tally">
          <Tally
            days={days}
            pencil={!counted}
            label={counted ? m.public_sample_tally({ days }) : m.public_sample_tally_pencil({ days })}
          />
        </div>
      </div>
      <Button
        kind="edge"
        busy={stage === 'sending' || stage === 'received'}
        onClick={() => setStage(counted ? 'pencil' : 'sending')}
      >
        {stage === 'pencil' ? m.public_sample_try() : counted ? m.public_sample_reset() : m.public_sample_running()}
      </Button>
    </section>
  );
}
