import './rewards.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reward, RewardDetail, RewardRule, Season } from '../../../../server/contract/seasons.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { pointCount, whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Reading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { RewardForm } from './reward-form.tsx';

/** Who gets it, in a sentence. */
function ruleLine(rule: RewardRule): string {
  switch (rule.type) {
    case 'all':
      return m.leader_rule_all_line({ points: pointCount(rule.minPoints) });
    case 'first_come':
      return m.leader_rule_first_come_line({
        count: rule.places,
        n: number(rule.places),
        points: pointCount(rule.minPoints),
      });
    case 'raffle': {
      const words = rule.tickets === 'by_points' ? m.leader_rule_raffle_points_line : m.leader_rule_raffle_line;
      return words({ n: number(rule.places), points: pointCount(rule.minPoints) });
    }
    case 'top_n':
      return m.leader_rule_top_n_line({ count: rule.places, n: number(rule.places) });
    case 'top_percent':
      return m.leader_rule_top_percent_line({ n: number(rule.percent) });
  }
}

/** A season's rewards: edited while it is a draft, drawn once it is frozen. */
export function Rewards(props: { communityId: string; season: Season; leads: boolean }) {
  const { communityId, season, leads } = props;
  const [adding, setAdding] = useState(false);
  const isDraft = season.state === 'draft';
  const list = useListFocus<HTMLElement>();
  return (
    <section ref={list} className="reward-list">
      <h3>{m.leader_rewards()}</h3>
      {season.rewards.length === 0 && <p className="text-small text-muted">{m.leader_rewards_none()}</p>}
      <ul className="stack">
        {season.rewards.map((reward) => (
          <li key={reward.id} data-row>
            <OneReward communityId={communityId} season={season} reward={reward} leads={leads} />
          </li>
        ))}
      </ul>
      {leads && isDraft && !adding && (
        <Button kind="words" icon="plus" onClick={() => setAdding(true)}>
          {m.leader_reward_add()}
        </Button>
      )}
      {leads && isDraft && adding && (
        <RewardForm communityId={communityId} seasonId={season.id} onDone={() => setAdding(false)} />
      )}
    </section>
  );
}

function OneReward(props: { communityId: string; season: Season; reward: Reward; leads: boolean }) {
  const { communityId, season, reward, leads } = props;
  const params = { communityId, rewardId: reward.id };
  const drop = useCommand((_: null, idempotencyKey) =>
    call('DELETE /api/communities/:communityId/rewards/:rewardId', { params, idempotencyKey }),
  );
  const draw = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/rewards/:rewardId/draw', { params, idempotencyKey }),
    (drawn) => toast({ icon: 'reward', title: m.leader_drawn({ reward: drawn.name }), line: m.leader_drawn_line() }),
  );
  return (
    <Card>
      <div className="flex-row">
        <h3 className="flex-grow">{reward.name}</h3>
        {leads && season.state === 'draft' && (
          <CommandButton
            kind="words"
            icon="discard"
            label={m.leader_reward_drop_named({ reward: reward.name })}
            command={drop}
            body={null}
          >
            {m.leader_reward_drop()}
          </CommandButton>
        )}
      </div>
      {reward.description && <p className="text-small written-text">{reward.description}</p>}
      <p className="text-small text-muted">
        {ruleLine(reward.rule)}
        {reward.minTrust !== null && ` ${m.leader_reward_trust({ n: number(reward.minTrust) })}`}
      </p>
      {reward.seedHash && reward.drawnAt === null && (
        <p className="text-tiny text-muted break-anywhere">{m.leader_seed_published({ hash: reward.seedHash })}</p>
      )}
      <Refused error={drop.error ?? draw.error} />
      {leads && season.state === 'frozen' && reward.drawnAt === null && (
        <div className="actions">
          <CommandButton icon="reward" label={m.leader_draw_named({ reward: reward.name })} command={draw} body={null}>
            {m.leader_draw()}
          </CommandButton>
        </div>
      )}
      {reward.drawnAt !== null && <Drawn communityId={communityId} reward={reward} leads={leads} />}
    </Card>
  );
}

/** The winners, and the data to repeat the draw. */
function Drawn(props: { communityId: string; reward: Reward; leads: boolean }) {
  const { communityId, reward } = props;
  const detail = useQuery(
    read('GET /api/communities/:communityId/rewards/:rewardId', { communityId, rewardId: reward.id }),
  );
  return (
    <Reading query={detail}>
      {(drawn) => (
        <>
          {drawn.winners.length === 0 ? (
            <p className="text-small">{m.leader_no_winners()}</p>
          ) : (
            <ol className="ruled-list winner-list" aria-label={m.leader_winners()}>
              {drawn.winners.map((winner) => (
                <li key={winner.userId} className="flex-row">
                  <b className="numeric">{number(winner.place)}</b>
                  <span className="flex-grow">{winner.displayName}</span>
                  <span className="numeric text-muted">{pointCount(winner.points)}</span>
                </li>
              ))}
            </ol>
          )}
          {drawn.drawnAt && (
            <p className="text-tiny text-muted">{m.leader_drawn_at({ time: whenWord(drawn.drawnAt) })}</p>
          )}
          {drawn.seed && <Seed reward={drawn} seed={drawn.seed} />}
          {props.leads && (
            <div className="actions">
              <ExportLink to={`/api/communities/${communityId}/rewards/${reward.id}/winners`}>
                {m.leader_winners_export()}
              </ExportLink>
            </div>
          )}
        </>
      )}
    </Reading>
  );
}

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A raffle's seed, verified on this device against the hash that was published before anyone could enter. */
function Seed({ reward, seed }: { reward: RewardDetail; seed: string }) {
  const verify = useQuery({
    queryKey: ['seed', reward.id, seed],
    queryFn: async () => toHex(await crypto.subtle.digest('SHA-256', fromHex(seed))) === reward.seedHash,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="seed-note">
      <dl className="seed-facts">
        <dt>{m.leader_seed()}</dt>
        <dd className="break-anywhere">{seed}</dd>
        <dt>{m.leader_seed_hash()}</dt>
        <dd className="break-anywhere">{reward.seedHash}</dd>
        <dt>{m.leader_seed_method()}</dt>
        <dd className="break-anywhere">{reward.method}</dd>
        <dt>{m.leader_seed_entrants()}</dt>
        <dd className="break-anywhere">
          {number(reward.entrants)} · {reward.entrantsHash}
        </dd>
      </dl>
      {verify.data === undefined ? (
        <Button kind="edge" icon="shield" busy={verify.isFetching} onClick={() => void verify.refetch()}>
          {m.leader_seed_verify()}
        </Button>
      ) : (
        <p className="flex-row" role="status">
          <Mark state={verify.data ? 'ink' : 'refused'} size={20} />
          {verify.data ? m.leader_seed_right() : m.leader_seed_wrong()}
        </p>
      )}
    </div>
  );
}
