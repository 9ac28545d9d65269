import './plan-view.css';
import './quiz-rows.css';
import { useCallback, useEffect, useState } from 'react';
import { useStorageState } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import { useUser } from '../../lib/query.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { Anchor, Button, ButtonLink } from '../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { Hatch, Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Graded, Waiting } from './graded.tsx';
import { loadPack, PACKS, savedPacks } from './packs.ts';
import { type PackPlan, type Plan, planOf } from './plan.ts';
import type { usePractice } from './use-practice.ts';

/** Due questions, attempts waiting for grading, packs, and the days ahead. */
export function PlanView({ state }: { state: ReturnType<typeof usePractice> }) {
  const { record, isStored } = state;
  const now = useNow();
  const user = useUser();
  const storage = useStorageState();
  const { saved, look } = useSaved();
  const where = useDeviceWord();
  const plan = planOf(PACKS, record ?? { cards: {}, days: {} }, now);
  const aside = (
    <>
      <SectionHead title={m.quiz_week()} />
      <Card>
        <Week plan={plan} />
      </Card>
      <SectionHead title={where === 'phone' ? m.quiz_on_phone() : m.quiz_on_computer()} />
      <Saved saved={saved} look={look} />
      {plan.days > 0 && (
        <>
          <SectionHead title={m.quiz_history()} />
          <Card>
            <p>
              <b>{m.quiz_streak({ count: plan.streak, n: number(plan.streak) })}</b>
            </p>
            <p className="text-small text-muted">{m.quiz_days({ count: plan.days, n: number(plan.days) })}</p>
          </Card>
        </>
      )}
    </>
  );
  return (
    <Screen title={m.quiz_title()} aside={aside}>
      {record === null ? <Skeleton /> : <Due plan={plan} />}
      {(!isStored || storage.kind === 'memory') && <p className="quote">{m.quiz_not_kept()}</p>}
      {user && <Waiting />}
      <SectionHead title={m.quiz_packs()} end={<span className="text-small text-muted">{m.quiz_packs_note()}</span>} />
      <ul className="quiz-rows">
        {plan.packs.map((pack) => (
          <li key={pack.id}>
            <PackRow pack={pack} isSaved={saved.has(pack.id)} />
          </li>
        ))}
      </ul>
      <p className="text-small text-muted quiz-note">
        {where === 'phone' ? m.quiz_private_phone() : m.quiz_private_computer()}
      </p>
      {user ? <Graded /> : <p className="text-small text-muted quiz-note">{m.quiz_sign_in_for_graded()}</p>}
    </Screen>
  );
}

function Due({ plan }: { plan: Plan }) {
  const { due, hard, packs } = plan;
  const fresh = packs.find(({ started }) => !started) ?? packs[0];
  if (due === 0)
    return (
      <section className="board quiz-due" aria-label={m.quiz_due()}>
        <div>
          <p className="board__label">{m.quiz_due()}</p>
          <p className="board__number">{m.quiz_due_none()}</p>
          <p className="board__label">{plan.today ? m.quiz_due_none_today() : m.quiz_due_none_line()}</p>
        </div>
        {fresh && (
          <ButtonLink kind="cross" to="/web3-quiz" search={{ practice: fresh.id }}>
            {m.quiz_start_pack({ pack: fresh.title })}
          </ButtonLink>
        )}
      </section>
    );
  return (
    <section className="board quiz-due" aria-label={m.quiz_due()}>
      <div>
        <p className="board__label">{m.quiz_due()}</p>
        <p className="board__number">{m.quiz_questions({ count: due, n: number(due) })}</p>
        <p className="board__label">
          {m.quiz_minutes({ count: plan.minutes, n: number(plan.minutes) })}{' '}
          {hard > 0 && m.quiz_hard({ count: hard, n: number(hard) })}
        </p>
      </div>
      <ButtonLink kind="cross" to="/web3-quiz" search={{ practice: 'due' }}>
        {m.quiz_start()}
      </ButtonLink>
    </section>
  );
}

function PackRow({ pack, isSaved }: { pack: PackPlan; isSaved: boolean }) {
  const count = m.quiz_questions({ count: pack.questions, n: number(pack.questions) });
  const state = pack.started
    ? pack.due > 0
      ? m.quiz_pack_due({ n: number(pack.due) })
      : m.quiz_pack_rests()
    : m.quiz_pack_new();
  return (
    <Anchor className="quiz-row" to="/web3-quiz" search={{ practice: pack.id }}>
      <Icon name="quiz" />
      <span>
        <span className="quiz-row__title">{pack.title}</span>
        <span className="quiz-row__meta">{`${count} · ${state}`}</span>
        <span className="quiz-row__known">
          <Hatch done={pack.learned} label={m.quiz_known({ n: number(Math.round(pack.learned * 100)) })} />
        </span>
      </span>
      <span>{isSaved && <Chip icon="phone">{m.quiz_saved()}</Chip>}</span>
    </Anchor>
  );
}

const BAR_MAX_PX = 60;
function Week({ plan }: { plan: Plan }) {
  const most = Math.max(1, ...plan.week.map(({ count }) => count));
  const weekday = new Intl.DateTimeFormat(getLocale(), { weekday: 'short' });
  const long = new Intl.DateTimeFormat(getLocale(), { weekday: 'long' });
  return (
    <ol className="quiz-week">
      {plan.week.map(({ at, count }, index) => (
        <li key={at} className={index === 0 ? 'quiz-week__today' : undefined}>
          <b aria-hidden="true">{number(count)}</b>
          <span className="quiz-week__place" aria-hidden="true">
            {count > 0 && (
              <i className="quiz-week__bar" style={{ blockSize: Math.max(6, (count / most) * BAR_MAX_PX) }} />
            )}
          </span>
          <span aria-hidden="true">{weekday.format(at)}</span>
          <span className="visually-hidden">
            {`${long.format(at)}: ${m.quiz_questions({ count, n: number(count) })}`}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Saved({ saved, look }: { saved: ReadonlySet<string>; look: () => void }) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const isAll = saved.size >= PACKS.length;
  const save = async () => {
    setBusy(true);
    setFailed(false);
    const results = await Promise.allSettled(PACKS.map(({ id }) => loadPack(id)));
    setFailed(results.some(({ status }) => status === 'rejected'));
    setBusy(false);
    look();
  };
  return (
    <Card>
      <p>
        <b>{m.quiz_saved_count({ count: saved.size, n: number(saved.size) })}</b>
      </p>
      <p className="text-small text-muted">{isAll ? m.quiz_saved_all() : m.quiz_saved_some()}</p>
      {failed && (
        <p className="text-small" role="alert">
          {m.quiz_save_failed()}
        </p>
      )}
      {!isAll && (
        <div className="actions">
          <Button kind="edge" icon="install" busy={busy} onClick={() => void save()}>
            {m.quiz_save_all()}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Packs that open offline, and a function to check again. */
function useSaved(): { saved: ReadonlySet<string>; look: () => void } {
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const look = useCallback(() => {
    savedPacks().then(setSaved, () => undefined);
  }, []);
  useEffect(look, [look]);
  return { saved, look };
}
