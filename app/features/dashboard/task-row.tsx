import './task-row.css';
import { type ReactNode, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { SettledCommand } from '../../shared/commands/settled-command.tsx';
import { MARKS } from '../../shared/tasks/marks.ts';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { Anchor } from '../../ui/button.tsx';
import { Points } from '../../ui/card.tsx';
import { Icon, Mark } from '../../ui/icon.tsx';
import { metaOf } from '../claims/claim-card.tsx';

type Props = { community: CommunitySummary; view: TaskView; reviewers: string[]; onWrite: (view: TaskView) => void };

/** A task that can wait, or is settled. A press opens its sheet, which also explains prerequisites. */
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
  if (state === 'open' || state === 'locked')
    return (
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => onWrite(view)}>
        {face}
      </button>
    );
  return (
    <>
      <Anchor className={className} to="/engagement-complete" search={{ community: community.slug, task: task.id }}>
        {face}
      </Anchor>
      {view.settled && (
        <div className="task-row__note">
          <SettledCommand entry={view.settled} />
        </div>
      )}
    </>
  );
}

/** Collapsed rows. `begins`: open at first. */
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
