import './today-board.css';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { number, signed } from '../../lib/format.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { UndoButton, useHeldSeconds } from '../../shared/commands/undo-button.tsx';
import { MARKS } from '../../shared/tasks/marks.ts';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { dayCount, whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Points } from '../../ui/card.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { cardAction, heldWords, metaOf } from '../claims/claim-card.tsx';
import { type DayPlan, isCountedAtOnce, type Moment } from './plan-day.ts';

export type NextProps = {
  dashboard: Dashboard;
  plan: DayPlan;
  /** A claim counted in this visit. */
  moment: Moment | null;
  /** This visit's command in pencil. */
  held: TaskView | null;
  onWrite: (view: TaskView) => void;
};

/** The one thing to do next. A task just done replaces it, in pencil or with the gain; nothing below moves. */
export function NextAction(props: NextProps) {
  const { moment, held } = props;
  const words = moment && momentWords(moment);
  return (
    <>
      <div className={held ? 'next-action next-action--held' : 'next-action'} data-card="next">
        {held ? (
          <Done {...props} view={held} />
        ) : moment ? (
          <Done {...props} view={moment.task} words={words} />
        ) : (
          <Open {...props} />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {!held && words !== null && m.today_said({ moment: words })}
      </p>
    </>
  );
}

/** One at a time: a level before a gate, a gate before a day, a day before points. */
function momentWords({ level, gate, streakDays, points }: Moment): string {
  if (level !== null) return m.today_moment_level({ level: number(level) });
  if (streakDays !== null && gate !== null)
    return m.today_moment_gate({ days: dayCount(streakDays), gate: number(gate) });
  if (streakDays === 1) return m.today_moment_begun();
  if (streakDays !== null && streakDays > 0) return m.today_moment_streak({ days: dayCount(streakDays) });
  return m.today_moment_points({ points: signed(points) });
}

function Open({ dashboard, plan, onWrite }: NextProps) {
  const device = useDeviceWord();
  const { next } = plan;
  if (next === null)
    return (
      <div>
        <h2>{plan.done.length > 0 ? m.member_all_done() : m.today_next_none()}</h2>
        <p className="next-action__meta">{m.today_next_none_line()}</p>
      </div>
    );
  const what = metaOf(next, dashboard.reviewers, device);
  return (
    <>
      <div>
        <p className="next-action__label">{m.today_next()}</p>
        <div className="next-action__split">
          <h2>{next.task.title}</h2>
          <span className="next-action__points">
            <Points value={next.task.points} />
          </span>
        </div>
        <p className="next-action__meta">
          {plan.keepsStreak ? extendsStreakText(next, what, dashboard.streakDays) : what}
        </p>
      </div>
      <Button kind="cross" onClick={() => cardAction(dashboard.community, next, onWrite)}>
        {actionLabel(next)}
      </Button>
    </>
  );
}

function extendsStreakText(next: TaskView, what: string, streakDays: number): string {
  if (isCountedAtOnce(next)) return streakDays > 0 ? m.today_next_keeps({ what }) : m.today_next_starts({ what });
  return streakDays > 0 ? m.today_next_keeps_reviewed({ what }) : m.today_next_starts_reviewed({ what });
}

function actionLabel({ task, state }: TaskView): string {
  if (state === 'changes') return m.member_answer_changes();
  const { word, startWord = word } = kindOf(task.kind);
  return startWord();
}

/** The task just done, in pencil or (with `words`) counted, and the next one. */
function Done({ dashboard, plan, onWrite, view, words }: NextProps & { view: TaskView; words?: string | null }) {
  const device = useDeviceWord();
  const seconds = useHeldSeconds(view.entry);
  const { task, state, claim } = view;
  const { next } = plan;
  return (
    <>
      <div className="next-action__title">
        <Mark state={MARKS[state]} />
        <div>
          {words ? <p className="next-action__moment">{words}</p> : <h2>{task.title}</h2>}
          <p className="next-action__meta">
            {words
              ? m.today_moment_of({ task: task.title, time: whenWord(claim?.decidedAt ?? claim?.submittedAt ?? 0) })
              : seconds === null
                ? metaOf(view, dashboard.reviewers, device)
                : heldWords(seconds, device)}
          </p>
        </div>
        <span className="next-action__points">
          <Points value={words ? (claim?.points ?? task.points) : task.points} pencil={!words} />
        </span>
      </div>
      {view.entry && seconds !== null && <UndoButton entry={view.entry} />}
      {next && (
        // Even a check-in opens its sheet: this button may have moved under the finger.
        <button type="button" className="next-action__then" onClick={() => onWrite(next)}>
          {m.today_next_link({ task: next.task.title, points: signed(next.task.points) })}
          <Icon name="forward" size={16} />
        </button>
      )}
    </>
  );
}
