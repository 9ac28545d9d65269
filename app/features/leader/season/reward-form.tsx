import {
  REWARD_DESCRIPTION_MAX,
  REWARD_NAME_MAX,
  REWARD_PLACES_MAX,
  TOTAL_POINTS_MAX,
} from '../../../../server/contract/limits.ts';
import type { NewReward, RewardRule } from '../../../../server/contract/seasons.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Form, shortProblem, useForm, wholeProblem } from '../../../shared/commands/form.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';

const RULES = ['all', 'first_come', 'raffle', 'top_n', 'top_percent'] as const satisfies readonly RewardRule['type'][];
type Rule = (typeof RULES)[number];
const RULE_WORDS: Record<Rule, () => string> = {
  all: m.leader_rule_all,
  first_come: m.leader_rule_first_come,
  raffle: m.leader_rule_raffle,
  top_n: m.leader_rule_top_n,
  top_percent: m.leader_rule_top_percent,
};

/** The fields as typed. */
type Writing = {
  name: string;
  description: string;
  type: Rule;
  places: string;
  minPoints: string;
  percent: string;
  tickets: 'one_each' | 'by_points';
  minTrust: string;
};
const BLANK: Writing = {
  name: '',
  description: '',
  type: 'raffle',
  places: '3',
  minPoints: '50',
  percent: '10',
  tickets: 'one_each',
  minTrust: '',
};

function ruleOf({ type, places, minPoints, percent, tickets }: Writing): RewardRule {
  const [most, least] = [Number(places), Number(minPoints)];
  if (type === 'top_percent') return { type, percent: Number(percent) };
  if (type === 'top_n') return { type, places: most };
  if (type === 'all') return { type, minPoints: least };
  return type === 'raffle'
    ? { type, minPoints: least, places: most, tickets }
    : { type, minPoints: least, places: most };
}
const asksPlaces = (type: Rule): boolean => type === 'first_come' || type === 'raffle' || type === 'top_n';
const asksPoints = (type: Rule): boolean => type === 'all' || type === 'first_come' || type === 'raffle';

/** The draft is stored on the device until the reward exists. */
export function RewardForm(props: { communityId: string; seasonId: string; onDone: () => void }) {
  const { communityId, seasonId } = props;
  const form = useForm({
    draft: `reward:${seasonId}`,
    initial: BLANK,
    atOnce: ['places', 'minPoints', 'percent', 'minTrust'],
    problems: ({ name, type, places, minPoints, percent, minTrust }) => ({
      name: shortProblem(name, 2),
      places: asksPlaces(type) ? wholeProblem(places, 1, REWARD_PLACES_MAX) : null,
      minPoints: asksPoints(type) ? wholeProblem(minPoints, 1, TOTAL_POINTS_MAX) : null,
      percent: type === 'top_percent' ? wholeProblem(percent, 1, 100) : null,
      minTrust: minTrust.trim() === '' ? null : wholeProblem(minTrust, 1, 100),
    }),
    body: (values): NewReward => ({
      name: values.name.trim(),
      description: values.description.trim(),
      rule: ruleOf(values),
      minTrust: values.minTrust.trim() === '' ? null : Number(values.minTrust),
    }),
    send: (body, idempotencyKey) =>
      call('POST /api/communities/:communityId/seasons/:seasonId/rewards', {
        params: { communityId, seasonId },
        body,
        idempotencyKey,
      }),
    done: props.onDone,
  });
  const { type } = form.values;
  return (
    <Form form={form} act={m.leader_reward_add()} onLeave={props.onDone} note={m.leader_kept_here()}>
      <Field label={m.leader_reward_name()} maxLength={REWARD_NAME_MAX} {...form.field('name')} />
      <TextArea
        label={m.leader_reward_description()}
        rows={2}
        maxLength={REWARD_DESCRIPTION_MAX}
        {...form.field('description')}
      />
      <Select
        label={m.leader_reward_rule()}
        hint={type === 'raffle' ? m.leader_rule_raffle_hint() : undefined}
        options={RULES.map((value) => ({ value, label: RULE_WORDS[value]() }))}
        {...form.field('type')}
      />
      <div className="two-columns">
        {asksPlaces(type) && <Field label={m.leader_reward_places()} inputMode="numeric" {...form.field('places')} />}
        {asksPoints(type) && (
          <Field label={m.leader_reward_points()} inputMode="numeric" {...form.field('minPoints')} />
        )}
        {type === 'top_percent' && (
          <Field label={m.leader_reward_percent()} inputMode="numeric" {...form.field('percent')} />
        )}
        {type === 'raffle' && (
          <Select
            label={m.leader_reward_tickets()}
            options={[
              { value: 'one_each', label: m.leader_tickets_one() },
              { value: 'by_points', label: m.leader_tickets_points() },
            ]}
            {...form.field('tickets')}
          />
        )}
        <Field
          label={m.leader_reward_min_trust()}
          hint={m.leader_reward_min_trust_hint()}
          inputMode="numeric"
          {...form.field('minTrust')}
        />
      </div>
    </Form>
  );
}
