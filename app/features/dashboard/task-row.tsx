import './task-row.css';
import { type ReactNode, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor } from '../../ui/button.tsx';
import { Points } from '../../ui/card.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PathSteps } from '../claims/path-steps.tsx';
import { gateWords } from '../engagement/gate-words.ts';
import { MARKS } from '../engagement/marks.ts';
import type { TaskView } from '../engagement/task-view.ts';
import { useDeviceWord } from '../engagement/use-device-word.ts';
import { act, metaOf } from './claim-card.tsx';

type Props = { community: CommunitySummary; view: TaskView; reviewers: string[]; onWrite: (view: TaskView) => void };

/** A task that can wait, or is settled. A press does what its card would; of one that is not open it says what comes first. */
export function TaskRow({ community, view, reviewers, onWrite }: Props) {
  const { task, state, claim } = view;
  const device = useDeviceWord();
  const isHeld = state === 'queued' || state === 'sending';
  const isDone = state === 'counted' || state === 'reversed';
  const className = isDone ? 'task-row task-row--done' : 'task-row';
  const face = (
    <>
      {state === 'locked' ? <Icon name="lock" /> : <Mark state={MARKS[state]} />}
      <div>
        <h3>{task.title}</h3>
        <p>{metaOf(view, reviewers, device)}</p>
      </div>
      <span className={state === 'reversed' ? 'task-row__points task-row__points--struck' : 'task-row__points'}>
        <Points value={claim && state !== 'open' ? claim.points : task.points} pencil={isHeld} />
      </span>
    </>
  );
  if (state === 'open')
    return (
      <button type="button" className={className} onClick={() => act(community, view, onWrite)}>
        {face}
      </button>
    );
  if (state === 'locked')
    return (
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => onWrite(view)}>
        {face}
      </button>
    );
  return (
    <Anchor className={className} to={`/engagement-complete?community=${community.slug}&task=${task.id}`}>
      {face}
    </Anchor>
  );
}

/** Rows that are looked at now and then. `begins`: open from the start. */
export function Fold({ words, begins = false, children }: { words: string; begins?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(begins);
  return (
    <details className="folded" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words}
        <Icon name="down" size={16} />
      </summary>
      {open && children}
    </details>
  );
}

/** What comes before a task that takes no act now. */
export function LockedSheet({ view, onClose }: { view: TaskView | null; onClose: () => void }) {
  const task = view?.task;
  return (
    <Sheet title={task?.title ?? ''} open={view !== null} onClose={onClose}>
      {task && (
        <div className="stack-medium">
          <p>{gateWords(task.gate)}</p>
          {task.gate.path.length > 0 && <PathSteps path={task.gate.path} any={task.conditions?.match === 'any'} />}
          {task.instructions && <p className="written-text">{task.instructions}</p>}
          <p className="text-small text-muted">
            {m.member_points()}: <Points value={task.points} />
          </p>
        </div>
      )}
    </Sheet>
  );
}
