import { kindOf } from '../../kinds/kinds.ts';
import { FormOf } from '../../kinds/member.tsx';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { TaskFacts, TaskRead } from './task-facts.tsx';

type SheetProps = {
  communityId: string;
  view: TaskView | null;
  /** People who may read the answer; empty when unknown. */
  reviewers: readonly string[];
  /** False for leaders, who do not compete on their own leaderboard: they only read. */
  competes: boolean;
  onClose: () => void;
};

/** A task's sheet with the form of its kind; read-only while it takes no answer. */
export function TaskSheet({ communityId, view, reviewers, competes, onClose }: SheetProps) {
  return (
    <Sheet title={view?.task.title ?? ''} open={view !== null} onClose={onClose}>
      {view && (
        <>
          <TaskFacts task={view.task} reviewers={reviewers} />
          {competes && view.state !== 'locked' && kindOf(view.task.kind).pace !== 'when-given' ? (
            <FormOf key={view.task.id} communityId={communityId} view={view} onDone={onClose} />
          ) : (
            <TaskRead view={view} />
          )}
        </>
      )}
    </Sheet>
  );
}
