import { kindOf } from '../../kinds/kinds.ts';
import { FormOf } from '../../kinds/member.tsx';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { TaskFacts, TaskRead } from './task-facts.tsx';

type SheetProps = {
  communityId: string;
  view: TaskView | null;
  /** Whoever may look at what is sent; none where that is not known. */
  reviewers: readonly string[];
  /** False for leaders, whose acts do not count on their own board: they only look. */
  competes: boolean;
  onClose: () => void;
};

/** What a task is, and where it is answered by its kind; read only where it takes no answer now. */
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
