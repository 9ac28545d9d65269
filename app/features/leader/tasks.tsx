import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import type { Task } from '../../../server/contract/tasks.ts';
import { call } from '../../lib/http.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, Points, Quote, SectionHead } from '../../ui/card.tsx';
import { Dialog, Sheet } from '../../ui/sheet.tsx';
import { Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { readAfresh } from '../engagement/afresh.ts';
import { refusalWords } from '../engagement/refusal-words.ts';
import { useCommandKey } from '../engagement/use-command-key.ts';
import { kindWord, recurrenceWord } from '../engagement/words.ts';
import { TaskForm } from './task-form.tsx';

/** The tasks of a community: leaders add and archive, moderators look. */
export function Tasks({ admin }: { admin: CommunityAdmin }) {
  const leads = admin.community.role === 'leader';
  const [adding, setAdding] = useState(false);
  const close = useCallback(() => setAdding(false), []);
  const live = admin.tasks.filter(({ status }) => status === 'live');
  const archived = admin.tasks.filter(({ status }) => status === 'archived');
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {m.leader_add_task()}
    </Button>
  );
  return (
    <>
      <SectionHead title={m.leader_tasks_live()} end={leads && live.length > 0 ? add : undefined} />
      {live.length === 0 ? (
        <Empty
          title={m.leader_no_tasks()}
          line={leads ? m.leader_no_tasks_line() : m.leader_no_tasks_moderator()}
          {...(leads && { action: add })}
        />
      ) : (
        <TaskList tasks={live} communityId={admin.community.id} editable={leads} />
      )}
      {archived.length > 0 && (
        <>
          <SectionHead title={m.leader_tasks_archived()} />
          <TaskList tasks={archived} communityId={admin.community.id} editable={leads} />
        </>
      )}
      <Sheet title={m.leader_add_task()} open={adding} onClose={close}>
        {adding && <TaskForm communityId={admin.community.id} onDone={close} />}
      </Sheet>
    </>
  );
}

function TaskList(props: { tasks: Task[]; communityId: string; editable: boolean }) {
  return (
    <Card className="rows">
      <ul className="list">
        {props.tasks.map((task) => (
          <li key={task.id}>
            <TaskLine task={task} communityId={props.communityId} editable={props.editable} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TaskLine({ task, communityId, editable }: { task: Task; communityId: string; editable: boolean }) {
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const client = useQueryClient();
  const keyFor = useCommandKey();
  const archived = task.status === 'archived';
  const change = useMutation({
    mutationFn: (status: 'live' | 'archived') =>
      call('PATCH /api/communities/:communityId/tasks/:taskId', {
        params: { communityId, taskId: task.id },
        body: { status },
        idempotencyKey: keyFor({ status }),
      }),
    onSuccess: async (changed) => {
      close();
      toast({
        icon: 'check',
        title:
          changed.status === 'archived'
            ? m.leader_archived({ task: task.title })
            : m.leader_restored({ task: task.title }),
      });
      await readAfresh(client);
    },
    onError: (error) => {
      if (archived) toast({ mark: 'refused', title: m.member_not_done(), line: refusalWords(error), urgent: true });
    },
  });
  return (
    <div className="task-line">
      <div>
        <h3>{task.title}</h3>
        <p className="sm mut">
          {kindWord(task.kind)} · {recurrenceWord(task.recurrence)}
        </p>
        {task.instructions && <p className="sm mut task-words">{task.instructions}</p>}
      </div>
      <b>
        <Points value={task.points} />
      </b>
      <div className="task-acts">
        {archived && <Chip>{m.leader_is_archived()}</Chip>}
        {editable && (
          <Button
            kind="words"
            busy={change.isPending}
            aria-label={
              archived ? m.leader_restore_named({ task: task.title }) : m.leader_archive_named({ task: task.title })
            }
            onClick={() => (archived ? change.mutate('live') : setAsking(true))}
          >
            {archived ? m.leader_restore() : m.leader_archive()}
          </Button>
        )}
      </div>
      <Dialog title={m.leader_archive_title({ task: task.title })} open={asking} onClose={close}>
        <p className="sm mut dialog-line">{m.leader_archive_line()}</p>
        {change.error !== null && <Quote lead={m.member_not_done()}>{refusalWords(change.error)}</Quote>}
        <div className="acts">
          <Button kind="no" busy={change.isPending} onClick={() => change.mutate('archived')}>
            {m.leader_archive()}
          </Button>
          <Button kind="words" onClick={close}>
            {m.leader_keep()}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
