import './task-editor.css';
import { useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { LeaderTask, Task, TaskChange, TaskSetup } from '../../../../server/contract/tasks.ts';
import { leaderPartsOf } from '../../../kinds/leader.ts';
import { changesOf } from '../../../lib/changes.ts';
import { stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, useForm } from '../../../shared/commands/form.tsx';
import { taskDraft } from '../../../shared/drafts/draft-names.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
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
  const communityId = community.id;
  const isDraft = task === null || task.status === 'draft';
  const opened = task?.status === 'scheduled' ? 'live' : task?.status;
  const [made, setMade] = useState<string | null>(null);
  // A live task may be past its end.
  const wrongIn = (draft: TaskDraft) => problemsOf(draft, isDraft ? Date.now() : null);
  const form = useForm({
    draft: taskDraft(task?.id ?? communityId),
    initial: () => (task?.setup ? draftOf(task, task.setup) : emptyDraft(Date.now())),
    problems: (draft) => ({ setup: wrongIn(draft).length > 0 ? m.leader_task_wrong() : null }),
    body: (draft, pressed) => ({
      ...bodyOf(draft),
      status: pressed === 'draft' ? ('draft' as const) : ('live' as const),
    }),
    // Only changes are sent: a season may lock the other fields, and another leader may change them.
    send: (body, idempotencyKey, before) =>
      task === null
        ? call('POST /api/communities/:communityId/tasks', { params: { communityId }, body, idempotencyKey })
        : call('PATCH /api/communities/:communityId/tasks/:taskId', {
            params: { communityId, taskId: task.id },
            body: task.setup ? changesOf<TaskChange>({ ...before, status: opened }, body) : body,
            idempotencyKey,
          }),
    done: (saved) => {
      toast({
        icon: 'check',
        title: m.leader_task_saved({ task: saved.title }),
        line: savedLine(saved),
      });
      // Shows its secret before the leader leaves.
      if (isSigned && task === null) setMade(saved.id);
      else props.onDone();
    },
  });
  const { values: draft, change } = form;
  const isChanged = Object.keys(changesOf(bodyOf(form.first), bodyOf(draft))).length > 0;
  const found: ReadonlySet<string> = new Set(form.tried ? wrongIn(draft) : []);
  const held = task?.lockedBy ?? null;
  const { isSigned, PointsNote } = leaderPartsOf(draft.setup.kind);
  if (made !== null) return <PartnerSecret communityId={communityId} taskId={made} isNew onDone={props.onDone} />;
  return (
    <div className="form-editor">
      <Form
        form={form}
        act={isDraft ? m.leader_task_publish() : m.leader_task_save()}
        more={
          isDraft && (
            <Button type="submit" value="draft" kind="edge" busy={form.isPending} disabledReason={form.blocked}>
              {m.leader_task_save_draft()}
            </Button>
          )
        }
        onLeave={() => {
          if (task !== null) form.drop();
          props.onDone();
        }}
        note={(task === null || isChanged) && m.leader_kept_here()}
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
        {found.size > 0 && (
          <p className="quote" role="alert">
            {m.leader_task_wrong()}
          </p>
        )}
      </Form>
      <Card className="form-editor__side">
        <TaskPreview community={community} task={previewOf(draft, m.leader_task_title())} />
      </Card>
    </div>
  );
}

function savedLine({ status, schedule }: Pick<LeaderTask, 'status' | 'schedule'>): string {
  if (status === 'draft') return m.leader_task_saved_draft();
  if (status === 'scheduled' && schedule.opensAt) return m.leader_opens({ time: stampTime(schedule.opensAt) });
  return m.leader_task_added_line({ today: m.shell_today() });
}
