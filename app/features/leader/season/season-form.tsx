import { useState } from 'react';
import {
  SEASON_GRACE_DEFAULT_HOURS,
  SEASON_GRACE_MAX_HOURS,
  SEASON_NAME_MAX,
  SEASON_RULES_MAX,
} from '../../../../server/contract/limits.ts';
import type { NewSeason, Season } from '../../../../server/contract/seasons.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type { Task } from '../../../../server/contract/tasks.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, showWrong, TextArea } from '../../../ui/field.tsx';
import { wholeIn } from '../../../ui/typed-number.ts';
import { changesOf } from '../parts/changes.ts';

const FOUR_WEEKS_MS = 28 * 24 * 60 * 60_000;

/** The fields as typed; `opened` is the season when editing started. */
type Writing = {
  name: string;
  rules: string;
  endsAt: string;
  grace: string;
  taskIds: readonly string[];
  opened: NewSeason;
};
function beginningOf(season: Season | null): Writing {
  const opened = {
    name: season?.name ?? '',
    rules: season?.rules ?? '',
    startsAt: season?.startsAt ?? null,
    // To the minute, as its field stores it.
    endsAt: fromLocal(toLocal(season?.endsAt ?? new Date(Date.now() + FOUR_WEEKS_MS).toISOString())) ?? '',
    graceHours: season?.graceHours ?? SEASON_GRACE_DEFAULT_HOURS,
    taskIds: season?.taskIds ?? [],
  };
  return { ...opened, endsAt: toLocal(opened.endsAt), grace: String(opened.graceHours), opened };
}

/** Plans a season, or changes one that is not live yet. The draft is stored on the device. */
export function SeasonForm(props: {
  communityId: string;
  tasks: readonly Task[];
  season: Season | null;
  onDone: () => void;
}) {
  const { communityId, season } = props;
  const { draft, change, drop } = useDraft<Writing>(`season:${season?.id ?? communityId}`, beginningOf(season));
  const { opened, name, rules, endsAt, grace, taskIds } = draft;
  const [tried, setTried] = useState(false);
  const offline = useNeedsConnection();
  const end = fromLocal(endsAt);
  const graceHours = wholeIn(grace, 0, SEASON_GRACE_MAX_HOURS);
  const wrongEnd = end === null || Date.parse(end) <= Date.now();
  const save = useCommand(
    (body: NewSeason, idempotencyKey) =>
      season
        ? call('PATCH /api/communities/:communityId/seasons/:seasonId', {
            params: { communityId, seasonId: season.id },
            body: changesOf(opened, body),
            idempotencyKey,
          })
        : call('POST /api/communities/:communityId/seasons', { params: { communityId }, body, idempotencyKey }),
    () => {
      drop();
      props.onDone();
    },
  );
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, () => setTried(true));
        if (offline || seenLength(name) < 2 || wrongEnd || end === null || graceHours === null) return;
        save.mutate({
          name: name.trim(),
          rules: rules.trim(),
          startsAt: opened.startsAt,
          endsAt: end,
          graceHours,
          taskIds: [...taskIds],
        });
      }}
    >
      <Field
        label={m.leader_season_name()}
        value={name}
        maxLength={SEASON_NAME_MAX}
        error={tried && seenLength(name) < 2 ? m.leader_title_short({ n: number(2) }) : null}
        onValue={(value) => change({ name: value })}
      />
      <TextArea
        label={m.leader_season_rules()}
        hint={m.leader_season_rules_hint()}
        rows={3}
        maxLength={SEASON_RULES_MAX}
        value={rules}
        onValue={(value) => change({ rules: value })}
      />
      <div className="two-columns">
        <Field
          label={m.leader_season_ends()}
          type="datetime-local"
          value={endsAt}
          error={tried && wrongEnd ? m.leader_season_end_wrong() : null}
          onValue={(value) => change({ endsAt: value })}
        />
        <Field
          label={m.leader_season_grace()}
          hint={m.leader_season_grace_hint()}
          inputMode="numeric"
          value={grace}
          error={graceHours === null ? m.leader_points_wrong({ n: number(SEASON_GRACE_MAX_HOURS) }) : null}
          onValue={(value) => change({ grace: value })}
        />
      </div>
      <fieldset className="form-group">
        <legend>{m.leader_season_tasks()}</legend>
        <p className="text-small text-muted">
          {taskIds.length === 0 ? m.leader_season_tasks_all() : m.leader_season_tasks_some()}
        </p>
        {props.tasks
          .filter(({ status }) => status !== 'archived')
          .map((task) => (
            <label key={task.id} className="tick-line">
              <input
                type="checkbox"
                checked={taskIds.includes(task.id)}
                onChange={({ currentTarget }) =>
                  change({
                    taskIds: currentTarget.checked ? [...taskIds, task.id] : taskIds.filter((id) => id !== task.id),
                  })
                }
              />
              {task.title}
            </label>
          ))}
      </fieldset>
      <Refused error={save.error} />
      <div className="actions">
        <Button type="submit" busy={save.isPending} disabledReason={offline}>
          {m.leader_season_save()}
        </Button>
        <Button
          kind="words"
          onClick={() => {
            if (season !== null) drop();
            props.onDone();
          }}
        >
          {m.leader_cancel()}
        </Button>
      </div>
      <p className="text-tiny text-muted">{m.leader_kept_here()}</p>
    </form>
  );
}
