import './task-editor.css';
import { useRef, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { LeaderTask, Task, TaskChange, TaskSetup } from '../../../../server/contract/tasks.ts';
import { leaderPartsOf } from '../../../kinds/leader.ts';
import { changesOf } from '../../../lib/changes.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { taskDraft } from '../../../shared/drafts/draft-names.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { showWrong } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { PartnerSecret } from './partner-secret.tsx';
import { ConditionFields } from './task-conditions.tsx';
import { bodyOf, draftOf, emptyDraft, previewOf, problemsOf, type TaskDraft } from './task-draft.ts';
import { Limits, SetupFields, What, When, Worth } from './task-fields.tsx';
import { TaskPreview } from './task-preview.tsx';

/**
 * Edits a task of any kind, with a preview of the member's card. The draft is stored on the device. `task` and its
 * `setup` are an existing one; the server names what claims or a season lock.
 */
export function TaskEditor(props: {
  community: CommunitySummary;
  task: LeaderTask | null;
  others: readonly Task[];
  onDone: () => void;
}) {
  const { community, task } = props;
  const { draft, change, drop } = useDraft<Writing>(taskDraft(task?.id ?? community.id), beginningOf(task));
  const { opened } = draft;
  const isChanged = JSON.stringify(opened && { ...bodyOf(draft), status: opened.status }) !== JSON.stringify(opened);
  const [tried, setTried] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const offline = useNeedsConnection();
  const communityId = community.id;
  const isDraft = task === null || task.status === 'draft';
  // A live task may be past its end.
  const problems = problemsOf(draft, isDraft ? Date.now() : null);
  const found: ReadonlySet<string> = new Set(tried ? problems : []);
  const held = task?.lockedBy ?? null;
  const { isSigned, PointsNote } = leaderPartsOf(draft.setup.kind);
  const save = useCommand(
    (body: ReturnType<typeof bodyOf> & { status: 'draft' | 'live' }, idempotencyKey) => {
      if (task === null)
        return call('POST /api/communities/:communityId/tasks', { params: { communityId }, body, idempotencyKey });
      return call('PATCH /api/communities/:communityId/tasks/:taskId', {
        params: { communityId, taskId: task.id },
        body: opened ? changesOf<TaskChange>(opened, body) : body,
        idempotencyKey,
      });
    },
    (saved) => {
      drop();
      toast({
        icon: 'check',
        title: m.leader_task_saved({ task: saved.title }),
        line: savedLine(saved),
      });
      // Shows its secret before the leader leaves.
      if (isSigned && task === null) setMade(saved.id);
      else props.onDone();
    },
  );
  const form = useRef<HTMLFormElement>(null);
  const send = (status: 'draft' | 'live') => {
    if (form.current) showWrong(form.current, () => setTried(true));
    if (problems.length === 0) save.mutate({ ...bodyOf(draft), status });
  };
  if (made !== null) return <PartnerSecret communityId={communityId} taskId={made} isNew onDone={props.onDone} />;
  return (
    <div className="form-editor">
      <form
        ref={form}
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!offline) send('live');
        }}
      >
        {held && <p className="quote">{m.leader_task_held({ season: held })}</p>}
        <What draft={draft} found={found} isNew={task === null} onChange={change} />
        <SetupFields
          communityId={communityId}
          setup={draft.setup}
          found={found}
          onSetup={(setup: TaskSetup) => change({ setup })}
        />
        {isSigned && task !== null && <PartnerSecret communityId={communityId} taskId={task.id} />}
        <Worth draft={draft} found={found} onChange={change} />
        {PointsNote && <PointsNote communityId={communityId} />}
        <details className="disclosure more-fields">
          <summary>{m.leader_task_when()}</summary>
          <When draft={draft} found={found} onChange={change} />
        </details>
        <details className="disclosure more-fields">
          <summary>{m.leader_task_limits()}</summary>
          <Limits draft={draft} found={found} onChange={change} />
        </details>
        <details className="disclosure more-fields">
          <summary>{m.leader_task_who()}</summary>
          <ConditionFields
            conditions={draft.conditions}
            others={props.others.filter(({ id }) => id !== task?.id)}
            onConditions={(conditions) => change({ conditions })}
          />
        </details>
        {tried && problems.length > 0 && (
          <p className="quote" role="alert">
            {m.leader_task_wrong()}
          </p>
        )}
        <Refused error={save.error} />
        <div className="actions">
          <Button type="submit" busy={save.isPending} disabledReason={offline}>
            {isDraft ? m.leader_task_publish() : m.leader_task_save()}
          </Button>
          {isDraft && (
            <Button kind="edge" busy={save.isPending} disabledReason={offline} onClick={() => send('draft')}>
              {m.leader_task_save_draft()}
            </Button>
          )}
          <Button
            kind="words"
            onClick={() => {
              if (task !== null) drop();
              props.onDone();
            }}
          >
            {m.leader_cancel()}
          </Button>
        </div>
        {(task === null || isChanged) && <p className="text-tiny text-muted">{m.leader_kept_here()}</p>}
      </form>
      <Card className="form-editor__side">
        <TaskPreview community={community} task={previewOf(draft, m.leader_task_title())} />
      </Card>
    </div>
  );
}

type Writing = TaskDraft & {
  /**
   * The task when editing started. Only changes are sent, so locked fields and other leaders' changes are left alone.
   */
  opened: TaskChange | null;
};
function beginningOf(task: LeaderTask | null): Writing {
  if (!task?.setup) return { ...emptyDraft(Date.now()), opened: null };
  const draft = draftOf(task, task.setup);
  return { ...draft, opened: { ...bodyOf(draft), status: task.status === 'scheduled' ? 'live' : task.status } };
}

function savedLine({ status, schedule }: Pick<LeaderTask, 'status' | 'schedule'>): string {
  if (status === 'draft') return m.leader_task_saved_draft();
  if (status === 'scheduled' && schedule.opensAt) return m.leader_opens({ time: stampTime(schedule.opensAt) });
  return m.leader_task_added_line({ today: m.shell_today() });
}
