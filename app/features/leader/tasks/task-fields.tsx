import { useRef } from 'react';
import {
  TASK_COOL_DOWN_MAX_MINUTES,
  TASK_INSTRUCTIONS_MAX,
  TASK_POINTS_MAX,
  TASK_TITLE_MAX,
} from '../../../../server/contract/limits.ts';
import type { Recurrence, TaskKind, TaskSetup } from '../../../../server/contract/tasks.ts';
import type { FieldsProps } from '../../../kinds/kind.ts';
import { kindWord } from '../../../kinds/kinds.ts';
import { emptySetup, KINDS, leaderPartsOf } from '../../../kinds/leader.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { recurrenceWord } from '../../../shared/tasks/words.ts';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { coolDownOf, pointsOf, type TaskDraft } from './task-draft.ts';

const RECURRENCES = ['once', 'daily', 'weekly', 'monthly'] as const satisfies readonly Recurrence[];
type Part = { draft: TaskDraft; found: ReadonlySet<string>; onChange: (part: Partial<TaskDraft>) => void };

export function What({ draft, found, isNew, onChange }: Part & { isNew: boolean }) {
  // Arrow keys pass through the kinds: each kind's setup is restored on return.
  const setups = useRef(new Map<string, TaskSetup>());
  return (
    <>
      {isNew ? (
        <Select
          label={m.leader_task_kind()}
          hint={leaderPartsOf(draft.setup.kind).hint()}
          options={KINDS.map((value) => ({ value, label: kindWord(value) }))}
          value={draft.setup.kind}
          onValue={(kind) => {
            setups.current.set(draft.setup.kind, draft.setup);
            onChange({
              setup: setups.current.get(kind) ?? emptySetup(kind, Date.now()),
              recurrence: leaderPartsOf(kind).usualRecurrence ?? 'once',
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

/** The fields of one kind. */
export function SetupFields(props: FieldsProps<TaskKind>) {
  const { Fields } = leaderPartsOf(props.setup.kind);
  return Fields ? <Fields {...props} /> : null;
}

export function Worth({ draft, found, onChange }: Part) {
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

/** Names of ISO weekdays, Monday first, in the page's language. */
const weekday = (day: number): string =>
  new Intl.DateTimeFormat(document.documentElement.lang || 'en', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  );

export function When({ draft, found, onChange }: Part) {
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

export function Limits({ draft, found, onChange }: Part) {
  const wrong = m.leader_whole_wrong();
  const { coolDown } = leaderPartsOf(draft.setup.kind);
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
        hint={coolDown?.hint(draft.setup) ?? m.leader_task_cool_down_hint()}
        inputMode="numeric"
        value={coolDownOf(draft)}
        error={found.has('cool_down') ? m.leader_points_wrong({ n: number(TASK_COOL_DOWN_MAX_MINUTES) }) : null}
        onValue={(typed) => onChange({ coolDown: typed })}
      />
    </div>
  );
}
