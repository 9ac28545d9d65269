import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TASK_INSTRUCTIONS_MAX, TASK_POINTS_MAX, TASK_TITLE_MAX } from '../../../server/contract/limits.ts';
import type { NewTask, Recurrence, TaskKind } from '../../../server/contract/tasks.ts';
import { call } from '../../lib/http.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { number } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { readAfresh } from '../engagement/afresh.ts';
import { refusalWords } from '../engagement/refusal-words.ts';
import { useCommandKey } from '../engagement/use-command-key.ts';
import { kindWord, recurrenceWord } from '../engagement/words.ts';
import { pointsIn } from './points.ts';

const TITLE_MIN = 3;
const KINDS = ['check_in', 'submit_text'] as const satisfies readonly TaskKind[];
const RECURRENCES = ['daily', 'weekly', 'once'] as const satisfies readonly Recurrence[];
/** What a check-in and a piece of writing are commonly worth; a leader changes it freely. */
type Kind = (typeof KINDS)[number];
const USUAL_POINTS: Record<Kind, string> = { check_in: '10', submit_text: '30' };

/** A new task of either kind. Needs a connection: members see it as soon as it is saved. */
export function TaskForm({ communityId, onDone }: { communityId: string; onDone: () => void }) {
  const [kind, setKind] = useState<Kind>('check_in');
  const [title, setTitle] = useState('');
  const [instructions, setInstructions] = useState('');
  const [typedPoints, setPoints] = useState<string | null>(null);
  const [recurrence, setRecurrence] = useState<Recurrence>('daily');
  const [tried, setTried] = useState(false);
  const client = useQueryClient();
  const keyFor = useCommandKey();
  const points = pointsIn(typedPoints ?? USUAL_POINTS[kind]);
  const titleShort = title.trim().length < TITLE_MIN;
  const add = useMutation({
    mutationFn: (body: NewTask) =>
      call('POST /api/communities/:communityId/tasks', {
        params: { communityId },
        body,
        idempotencyKey: keyFor(body),
      }),
    onSuccess: async (task) => {
      onDone();
      toast({ icon: 'check', title: m.leader_task_added({ task: task.title }), line: m.leader_task_added_line() });
      await readAfresh(client);
    },
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (titleShort || points === null) return;
        add.mutate({ setup: { kind }, title: title.trim(), instructions: instructions.trim(), points, recurrence });
      }}
    >
      <Select
        label={m.leader_task_kind()}
        hint={kind === 'check_in' ? m.leader_kind_check_in_hint() : m.leader_kind_submit_text_hint()}
        options={KINDS.map((value) => ({ value, label: kindWord(value) }))}
        value={kind}
        onValue={setKind}
      />
      <Field
        label={m.leader_task_title()}
        value={title}
        maxLength={TASK_TITLE_MAX}
        error={tried && titleShort ? m.leader_title_short({ n: number(TITLE_MIN) }) : null}
        onValue={setTitle}
      />
      <TextArea
        label={m.leader_task_instructions()}
        hint={m.leader_task_instructions_hint()}
        value={instructions}
        maxLength={TASK_INSTRUCTIONS_MAX}
        onValue={setInstructions}
      />
      <div className="two">
        <Field
          label={m.leader_task_points()}
          inputMode="numeric"
          value={typedPoints ?? USUAL_POINTS[kind]}
          error={points === null ? m.leader_points_wrong({ n: number(TASK_POINTS_MAX) }) : null}
          onValue={setPoints}
        />
        <Select
          label={m.leader_task_recurrence()}
          options={RECURRENCES.map((value) => ({ value, label: recurrenceWord(value) }))}
          value={recurrence}
          onValue={setRecurrence}
        />
      </div>
      {add.error !== null && <Quote lead={m.member_not_done()}>{refusalWords(add.error)}</Quote>}
      <Button type="submit" busy={add.isPending}>
        {m.leader_add_task()}
      </Button>
    </form>
  );
}
