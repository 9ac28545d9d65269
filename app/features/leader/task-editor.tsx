import './task-editor.css';
import { useRef, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import {
  TASK_COOL_DOWN_MAX_MINUTES,
  TASK_INSTRUCTIONS_MAX,
  TASK_POINTS_MAX,
  TASK_TITLE_MAX,
} from '../../../server/contract/limits.ts';
import type { LeaderTask, Recurrence, Task, TaskChange, TaskSetup } from '../../../server/contract/tasks.ts';
import { useDraft } from '../../lib/drafts.ts';
import { call } from '../../lib/http.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select, showWrong, TextArea } from '../../ui/field.tsx';
import { number, stampTime } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { kindWord, recurrenceWord } from '../engagement/words.ts';
import { changesOf } from './changes.ts';
import { Refused } from './command-parts.tsx';
import { ConditionFields } from './task-conditions.tsx';
import {
  bodyOf,
  coolDownOf,
  draftOf,
  emptyDraft,
  emptySetup,
  KINDS,
  type Problem,
  pointsOf,
  previewOf,
  problemsOf,
  type TaskDraft,
} from './task-draft.ts';
import { TaskPreview } from './task-preview.tsx';
import { SetupFields } from './task-setup.tsx';
import { useCommand, useNeedsConnection } from './use-command.ts';

const RECURRENCES = ['once', 'daily', 'weekly', 'monthly'] as const satisfies readonly Recurrence[];
const KIND_HINTS = {
  check_in: m.leader_kind_check_in_hint,
  visit_link: m.leader_kind_visit_link_hint,
  quiz: m.leader_kind_quiz_hint,
  submit_text: m.leader_kind_submit_text_hint,
  submit_url: m.leader_kind_submit_url_hint,
  submit_image: m.leader_kind_submit_image_hint,
  poll: m.leader_kind_poll_hint,
  invite: m.leader_kind_invite_hint,
  telegram_event: m.leader_kind_telegram_event_hint,
  manual: m.leader_kind_manual_hint,
} as const;

/**
 * Writes a task of any kind, beside it the card that members get. What is begun is kept on the device. `task` with its
 * `setup` is one that is there; what claims or a season hold fast, the server names.
 */
export function TaskEditor(props: {
  community: CommunitySummary;
  task: LeaderTask | null;
  others: readonly Task[];
  onDone: () => void;
}) {
  const { community, task } = props;
  const { draft, change, drop } = useDraft<Writing>(`task:${task?.id ?? community.id}`, beginningOf(task));
  const { opened } = draft;
  const isChanged = JSON.stringify(opened && { ...bodyOf(draft), status: opened.status }) !== JSON.stringify(opened);
  const [tried, setTried] = useState(false);
  const offline = useNeedsConnection();
  const communityId = community.id;
  const isDraft = task === null || task.status === 'draft';
  // One that is live may be closed by its date.
  const problems = problemsOf(draft, isDraft ? Date.now() : null);
  const found: ReadonlySet<Problem> = new Set(tried ? problems : []);
  const held = task?.lockedBy ?? null;
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
      props.onDone();
    },
  );
  const form = useRef<HTMLFormElement>(null);
  const send = (status: 'draft' | 'live') => {
    if (form.current) showWrong(form.current, () => setTried(true));
    if (problems.length === 0) save.mutate({ ...bodyOf(draft), status });
  };
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
        <SetupFields setup={draft.setup} found={found} onSetup={(setup: TaskSetup) => change({ setup })} />
        <Worth draft={draft} found={found} onChange={change} />
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
   * The task as it was when the writing began. Only what differs is sent: what a season holds fast, or another leader has
   * changed since, is left alone.
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
  return m.leader_task_added_line();
}

type Part = { draft: TaskDraft; found: ReadonlySet<Problem>; onChange: (part: Partial<TaskDraft>) => void };

function What({ draft, found, isNew, onChange }: Part & { isNew: boolean }) {
  // Arrow keys walk through the kinds: what was written for one is there when they come back to it.
  const setups = useRef(new Map<string, TaskSetup>());
  return (
    <>
      {isNew ? (
        <Select
          label={m.leader_task_kind()}
          hint={KIND_HINTS[draft.setup.kind as (typeof KINDS)[number]]()}
          options={KINDS.map((value) => ({ value, label: kindWord(value) }))}
          value={draft.setup.kind}
          onValue={(kind) => {
            setups.current.set(draft.setup.kind, draft.setup);
            onChange({
              setup: setups.current.get(kind) ?? emptySetup(kind, Date.now()),
              recurrence: kind === 'check_in' ? 'daily' : 'once',
            });
          }}
        />
      ) : (
        <p className="text-small text-muted">{kindWord(draft.setup.kind)}</p>
      )}
      <Field
        label={m.leader_task_title()}
        value={draft.title}
        maxLength={TASK_TITLE_MAX}
        error={found.has('title') ? m.leader_title_short({ n: number(3) }) : null}
        onValue={(title) => onChange({ title })}
      />
      <TextArea
        label={m.leader_task_instructions()}
        hint={m.leader_task_instructions_hint()}
        value={draft.instructions}
        maxLength={TASK_INSTRUCTIONS_MAX}
        onValue={(instructions) => onChange({ instructions })}
      />
    </>
  );
}

function Worth({ draft, found, onChange }: Part) {
  return (
    <div className="two-columns">
      <Field
        label={m.leader_task_points()}
        inputMode="numeric"
        value={pointsOf(draft)}
        error={found.has('points') ? m.leader_points_wrong({ n: number(TASK_POINTS_MAX) }) : null}
        onValue={(points) => onChange({ points })}
      />
      <Select
        label={m.leader_task_recurrence()}
        options={RECURRENCES.map((value) => ({ value, label: recurrenceWord(value) }))}
        value={draft.recurrence}
        onValue={(recurrence) => onChange({ recurrence })}
      />
    </div>
  );
}

/** Names of the ISO weekdays, Monday first, in the page's language. */
const weekday = (day: number): string =>
  new Intl.DateTimeFormat(document.documentElement.lang || 'en', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  );

function When({ draft, found, onChange }: Part) {
  return (
    <div className="form-stack">
      <div className="two-columns">
        <Field
          label={m.leader_task_opens()}
          hint={m.leader_task_opens_hint()}
          type="datetime-local"
          value={draft.opensAt}
          onValue={(opensAt) => onChange({ opensAt })}
        />
        <Field
          label={m.leader_task_closes()}
          hint={m.leader_task_closes_hint()}
          type="datetime-local"
          value={draft.closesAt}
          error={
            found.has('dates') ? m.leader_task_dates_wrong() : found.has('over') ? m.leader_season_end_wrong() : null
          }
          onValue={(closesAt) => onChange({ closesAt })}
        />
      </div>
      <label className="tick-line">
        <input
          type="checkbox"
          checked={draft.windowed}
          onChange={({ currentTarget }) => onChange({ windowed: currentTarget.checked })}
        />
        {m.leader_task_windowed()}
      </label>
      {draft.windowed && (
        <>
          <fieldset className="form-group">
            <legend>{m.leader_task_days()}</legend>
            <div className="tick-lines">
              {[1, 2, 3, 4, 5, 6, 7].map((day) => (
                <label key={day} className="tick-line">
                  <input
                    type="checkbox"
                    checked={draft.days.includes(day)}
                    onChange={({ currentTarget }) =>
                      onChange({
                        days: currentTarget.checked ? [...draft.days, day] : draft.days.filter((one) => one !== day),
                      })
                    }
                  />
                  {weekday(day)}
                </label>
              ))}
            </div>
            {found.has('days') && (
              <p className="quote" role="alert">
                {m.leader_task_days_wrong()}
              </p>
            )}
          </fieldset>
          <div className="two-columns">
            <Field label={m.leader_task_from()} type="time" value={draft.from} onValue={(from) => onChange({ from })} />
            <Field
              label={m.leader_task_until()}
              hint={m.leader_task_until_hint()}
              type="time"
              value={draft.until}
              error={found.has('hours') ? m.leader_task_hours_wrong() : null}
              onValue={(until) => onChange({ until })}
            />
          </div>
        </>
      )}
    </div>
  );
}

function Limits({ draft, found, onChange }: Part) {
  const wrong = m.leader_whole_wrong();
  return (
    <div className="form-stack">
      <div className="two-columns">
        <Field
          label={m.leader_task_total()}
          hint={m.leader_task_no_limit()}
          inputMode="numeric"
          value={draft.total}
          error={found.has('total') ? wrong : null}
          onValue={(total) => onChange({ total })}
        />
        <Field
          label={m.leader_task_each()}
          hint={m.leader_task_no_limit()}
          inputMode="numeric"
          value={draft.member}
          error={found.has('member') ? wrong : null}
          onValue={(member) => onChange({ member })}
        />
      </div>
      <Field
        label={m.leader_task_cool_down()}
        hint={draft.setup.kind === 'quiz' ? m.leader_quiz_cool_down_hint() : m.leader_task_cool_down_hint()}
        inputMode="numeric"
        value={coolDownOf(draft)}
        error={found.has('cool_down') ? m.leader_points_wrong({ n: number(TASK_COOL_DOWN_MAX_MINUTES) }) : null}
        onValue={(coolDown) => onChange({ coolDown })}
      />
    </div>
  );
}
