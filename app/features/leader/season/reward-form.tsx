import { useState } from 'react';
import {
  REWARD_DESCRIPTION_MAX,
  REWARD_NAME_MAX,
  REWARD_PLACES_MAX,
  TOTAL_POINTS_MAX,
} from '../../../../server/contract/limits.ts';
import type { NewReward, RewardRule } from '../../../../server/contract/seasons.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, showWrong, TextArea } from '../../../ui/field.tsx';
import { wholeIn } from '../../../ui/typed-number.ts';

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
  points: string;
  percent: string;
  tickets: 'one_each' | 'by_points';
  trust: string;
};
const BLANK: Writing = {
  name: '',
  description: '',
  type: 'raffle',
  places: '3',
  points: '50',
  percent: '10',
  tickets: 'one_each',
  trust: '',
};

/** The draft is stored on the device until the reward exists. */
export function RewardForm(props: { communityId: string; seasonId: string; onDone: () => void }) {
  const { communityId, seasonId } = props;
  const { draft, change, drop } = useDraft(`reward:${seasonId}`, BLANK);
  const { name, description, type, places, points, percent, tickets, trust } = draft;
  const [tried, setTried] = useState(false);
  const offline = useNeedsConnection();
  const n = wholeIn(places, 1, REWARD_PLACES_MAX);
  const minPoints = wholeIn(points, 1, TOTAL_POINTS_MAX);
  const part = wholeIn(percent, 1, 100);
  const minTrust = trust.trim() === '' ? null : wholeIn(trust, 1, 100);
  const add = useCommand(
    (body: NewReward, idempotencyKey) =>
      call('POST /api/communities/:communityId/seasons/:seasonId/rewards', {
        params: { communityId, seasonId },
        body,
        idempotencyKey,
      }),
    () => {
      drop();
      props.onDone();
    },
  );
  function rule(): RewardRule | null {
    if (type === 'top_percent') return part === null ? null : { type, percent: part };
    if (type === 'top_n') return n === null ? null : { type, places: n };
    if (minPoints === null) return null;
    if (type === 'all') return { type, minPoints };
    if (n === null) return null;
    return type === 'raffle' ? { type, minPoints, places: n, tickets } : { type, minPoints, places: n };
  }
  const given = rule();
  const trustWrong = trust.trim() !== '' && minTrust === null;
  return (
    <form
      className="form-stack"
      onSubmit={(event) => {
        event.preventDefault();
        showWrong(event.currentTarget, () => setTried(true));
        if (offline || seenLength(name) < 2 || given === null || trustWrong) return;
        add.mutate({ name: name.trim(), description: description.trim(), rule: given, minTrust });
      }}
    >
      <Field
        label={m.leader_reward_name()}
        value={name}
        maxLength={REWARD_NAME_MAX}
        error={tried && seenLength(name) < 2 ? m.leader_title_short({ n: number(2) }) : null}
        onValue={(value) => change({ name: value })}
      />
      <TextArea
        label={m.leader_reward_description()}
        rows={2}
        maxLength={REWARD_DESCRIPTION_MAX}
        value={description}
        onValue={(value) => change({ description: value })}
      />
      <Select
        label={m.leader_reward_rule()}
        hint={type === 'raffle' ? m.leader_rule_raffle_hint() : undefined}
        options={RULES.map((value) => ({ value, label: RULE_WORDS[value]() }))}
        value={type}
        onValue={(value) => change({ type: value })}
      />
      <div className="two-columns">
        {(type === 'first_come' || type === 'raffle' || type === 'top_n') && (
          <Field
            label={m.leader_reward_places()}
            inputMode="numeric"
            value={places}
            error={n === null ? m.leader_from_one_wrong({ n: number(REWARD_PLACES_MAX) }) : null}
            onValue={(value) => change({ places: value })}
          />
        )}
        {(type === 'all' || type === 'first_come' || type === 'raffle') && (
          <Field
            label={m.leader_reward_points()}
            inputMode="numeric"
            value={points}
            error={minPoints === null ? m.leader_from_one_wrong({ n: number(TOTAL_POINTS_MAX) }) : null}
            onValue={(value) => change({ points: value })}
          />
        )}
        {type === 'top_percent' && (
          <Field
            label={m.leader_reward_percent()}
            inputMode="numeric"
            value={percent}
            error={part === null ? m.leader_from_one_wrong({ n: number(100) }) : null}
            onValue={(value) => change({ percent: value })}
          />
        )}
        {type === 'raffle' && (
          <Select
            label={m.leader_reward_tickets()}
            options={[
              { value: 'one_each', label: m.leader_tickets_one() },
              { value: 'by_points', label: m.leader_tickets_points() },
            ]}
            value={tickets}
            onValue={(value) => change({ tickets: value })}
          />
        )}
        <Field
          label={m.leader_reward_min_trust()}
          hint={m.leader_reward_min_trust_hint()}
          inputMode="numeric"
          value={trust}
          error={trustWrong ? m.leader_from_one_wrong({ n: number(100) }) : null}
          onValue={(value) => change({ trust: value })}
        />
      </div>
      <Refused error={add.error} />
      <div className="actions">
        <Button type="submit" busy={add.isPending} disabledReason={offline}>
          {m.leader_reward_add()}
        </Button>
        <Button kind="words" onClick={props.onDone}>
          {m.leader_cancel()}
        </Button>
      </div>
      <p className="text-tiny text-muted">{m.leader_kept_here()}</p>
    </form>
  );
}
