import {
  SEASON_GRACE_DEFAULT_HOURS,
  SEASON_GRACE_MAX_HOURS,
  SEASON_NAME_MAX,
  SEASON_RULES_MAX,
} from '../../../../server/contract/limits.ts';
import type { Season } from '../../../../server/contract/seasons.ts';
import type { Task } from '../../../../server/contract/tasks.ts';
import { changesOf } from '../../../lib/changes.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, shortProblem, useForm, wholeProblem } from '../../../shared/commands/form.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { Ticks } from '../../../ui/ticks.tsx';

const FOUR_WEEKS_MS = 28 * 24 * 60 * 60_000;

/** The fields as typed. */
const typedOf = (season: Season | null) => ({
  name: season?.name ?? '',
  rules: season?.rules ?? '',
  endsAt: toLocal(season?.endsAt ?? new Date(Date.now() + FOUR_WEEKS_MS).toISOString()),
  graceHours: String(season?.graceHours ?? SEASON_GRACE_DEFAULT_HOURS),
  taskIds: season?.taskIds ?? [],
});

const bodyOf = ({ name, rules, endsAt, graceHours, taskIds }: ReturnType<typeof typedOf>) => ({
  name: name.trim(),
  rules: rules.trim(),
  endsAt: fromLocal(endsAt) ?? '',
  graceHours: Number(graceHours),
  taskIds,
});

/** Plans a season, or changes one that is not live yet. The draft is stored on the device. */
export function SeasonForm(props: {
  communityId: string;
  tasks: readonly Task[];
  season: Season | null;
  onDone: () => void;
}) {
  const { communityId, season } = props;
  const form = useForm({
    draft: `season:${season?.id ?? communityId}`,
    initial: () => typedOf(season),
    atOnce: ['graceHours'],
    problems: ({ name, endsAt, graceHours }) => ({
      name: shortProblem(name, 2),
      endsAt: Date.parse(fromLocal(endsAt) ?? '') > Date.now() ? null : m.leader_season_end_wrong(),
      graceHours: wholeProblem(graceHours, 0, SEASON_GRACE_MAX_HOURS),
    }),
    body: bodyOf,
    send: (body, idempotencyKey, before) =>
      season
        ? call('PATCH /api/communities/:communityId/seasons/:seasonId', {
            params: { communityId, seasonId: season.id },
            body: changesOf(before, body),
            idempotencyKey,
          })
        : call('POST /api/communities/:communityId/seasons', {
            params: { communityId },
            body: { ...body, startsAt: null },
            idempotencyKey,
          }),
    done: props.onDone,
  });
  return (
    <Form
      form={form}
      act={m.leader_season_save()}
      onLeave={() => {
        if (season !== null) form.drop();
        props.onDone();
      }}
      note={m.leader_kept_here()}
    >
      <Field label={m.leader_season_name()} maxLength={SEASON_NAME_MAX} {...form.field('name')} />
      <TextArea
        label={m.leader_season_rules()}
        hint={m.leader_season_rules_hint()}
        rows={3}
        maxLength={SEASON_RULES_MAX}
        {...form.field('rules')}
      />
      <Field label={m.leader_season_ends()} type="datetime-local" {...form.field('endsAt')} />
      <Field
        label={m.leader_season_grace()}
        hint={m.leader_season_grace_hint()}
        inputMode="numeric"
        {...form.field('graceHours')}
      />
      <Ticks
        legend={m.leader_season_tasks()}
        hint={form.values.taskIds.length === 0 ? m.leader_season_tasks_all() : m.leader_season_tasks_some()}
        options={props.tasks
          .filter(({ status }) => status !== 'archived')
          .map(({ id, title }) => ({ value: id, label: title }))}
        isList
        {...form.field('taskIds')}
      />
    </Form>
  );
}
