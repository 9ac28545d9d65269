import './new-user-exploration-screen.css';
import { useEffect, useRef, useState } from 'react';
import { useOnline } from '../../lib/online.ts';
import { useUser } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { Button, ButtonLink, OutButton, SignInLink } from '../../ui/button.tsx';
import { Quote, TaskCard } from '../../ui/card.tsx';
import { Tally } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';

/** The sample's state; `refused` may be tried again. It exists only on this screen. */
type Claim = 'slot' | 'pencil' | 'sending' | 'received' | 'ink' | 'refused';
const SENDING_MS = 900;
const STEPS = 3;
const POINTS = 10;

/** How many of the three steps are done. */
const stepsDone = (claim: Claim): number =>
  claim === 'slot' ? 0 : claim === 'pencil' || claim === 'sending' ? 1 : claim === 'received' ? 2 : STEPS;

function metaOf(claim: Claim): string {
  const device = deviceWord();
  const words: Record<Claim, string> = {
    slot: m.public_tour_task_open(),
    pencil: m.public_tour_task_saved({ device }),
    sending: m.public_tour_task_sending(),
    received: m.public_tour_task_received(),
    ink: m.public_tour_task_ink(),
    refused: m.public_tour_task_refused(),
  };
  return words[claim];
}

/** Three steps with one sample task: do it, send it, see it counted. */
export function NewUserExplorationScreen() {
  const device = deviceWord();
  const [step, setStep] = useState(1);
  const [claim, setClaim] = useState<Claim>('slot');
  const heading = useRef<HTMLHeadingElement>(null);
  const done = stepsDone(claim);

  useEffect(() => {
    if (claim !== 'sending') return;
    const timer = setTimeout(() => setClaim('received'), SENDING_MS);
    return () => clearTimeout(timer);
  }, [claim]);

  const go = (to: number) => {
    setStep(to);
    // The new step is read out, and Tab continues from it.
    requestAnimationFrame(() => heading.current?.focus());
  };
  const startAgain = () => {
    setClaim('slot');
    go(1);
  };

  const titles = [m.public_tour_1(), m.public_tour_2(), m.public_tour_3()];
  const ended = step > STEPS;
  return (
    <Screen title={m.public_tour_title()} lead={m.public_tour_lead({ device })}>
      <div className="tour">
        <div className="tour__head">
          <Tally days={done} open={done < STEPS} label={m.public_tour_done_of({ done })} />
          <p className="text-small text-muted">
            {ended ? m.public_tour_done_of({ done }) : m.public_tour_progress({ step })}
          </p>
        </div>
        <div className="card tour__card">
          <h2 ref={heading} tabIndex={-1}>
            {ended ? m.public_tour_end() : titles[step - 1]}
          </h2>
          <div className="tour__sample" aria-live="polite">
            <TaskCard
              mark={claim}
              title={m.public_tour_task()}
              meta={metaOf(claim)}
              points={POINTS}
              {...(claim === 'slot' && { onPress: () => setClaim('pencil') })}
            >
              {claim === 'refused' ? <Quote lead={m.public_tour_task_refused()}>{m.public_tour_reason()}</Quote> : null}
            </TaskCard>
            <p>{ended ? m.public_tour_end_line({ device }) : wordsOf(step, claim, device)}</p>
          </div>
          <StepActions step={step} claim={claim} onClaim={setClaim} />
          {ended && <WaysOn onAgain={startAgain} />}
        </div>
        {!ended && (
          <div className="tour__nav">
            {step > 1 && (
              <Button kind="words" icon="back" onClick={() => go(step - 1)}>
                {m.public_tour_back()}
              </Button>
            )}
            <span className="flex-grow" />
            {done >= step ? (
              <Button kind={step === STEPS && claim === 'refused' ? 'edge' : 'ink'} onClick={() => go(step + 1)}>
                {step === STEPS ? m.public_tour_finish() : m.public_tour_next()}
              </Button>
            ) : (
              <ButtonLink kind="words" to="/platform-exploration">
                {m.public_tour_skip()}
              </ButtonLink>
            )}
          </div>
        )}
      </div>
    </Screen>
  );
}

/** The step's instruction, or its result. */
function wordsOf(step: number, claim: Claim, device: string): string {
  if (step === 1) return claim === 'slot' ? m.public_tour_1_line() : m.public_tour_1_done({ device });
  if (step === 2) return stepsDone(claim) < 2 ? m.public_tour_2_line() : m.public_tour_2_done();
  if (claim === 'ink') return m.public_tour_3_ink();
  return claim === 'refused' ? m.public_tour_3_refused() : m.public_tour_3_line();
}

/** The buttons that advance the sample. */
function StepActions({ step, claim, onClaim }: { step: number; claim: Claim; onClaim: (claim: Claim) => void }) {
  if (step === 1 && claim === 'slot')
    return (
      <div className="actions">
        <Button onClick={() => onClaim('pencil')}>{m.public_tour_press()}</Button>
      </div>
    );
  if (step === 2 && (claim === 'pencil' || claim === 'sending'))
    return (
      <div className="actions">
        <Button busy={claim === 'sending'} onClick={() => onClaim('sending')}>
          {claim === 'sending' ? m.public_tour_task_sending() : m.public_tour_signal()}
        </Button>
      </div>
    );
  if (step === STEPS && claim === 'received')
    return (
      <div className="actions">
        <Button onClick={() => onClaim('ink')}>{m.public_tour_count()}</Button>
        <Button kind="no" onClick={() => onClaim('refused')}>
          {m.public_tour_refuse()}
        </Button>
      </div>
    );
  if (step === STEPS && claim === 'refused')
    return (
      <div className="actions">
        <Button onClick={() => onClaim('received')}>{m.public_tour_retry()}</Button>
      </div>
    );
  return null;
}

/** After the last step: start, look around, or repeat. */
function WaysOn({ onAgain }: { onAgain: () => void }) {
  const user = useUser();
  const online = useOnline();
  return (
    <div className="actions">
      {user ? (
        <ButtonLink to="/community-selector">{m.public_tour_choose()}</ButtonLink>
      ) : online ? (
        <SignInLink next="/">{m.shell_get_started()}</SignInLink>
      ) : (
        <Button disabledReason={m.public_reason_connection()}>{m.shell_get_started()}</Button>
      )}
      <OutButton kind="edge" href="/demo">
        {m.public_try_demo()}
      </OutButton>
      <ButtonLink kind="words" to="/platform-exploration">
        {m.public_tour_map()}
      </ButtonLink>
      <Button kind="words" onClick={onAgain}>
        {m.public_again()}
      </Button>
    </div>
  );
}
