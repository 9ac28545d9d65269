import '../../shared/boards/standings.css';
import './rewards.css';
import { useQuery } from '@tanstack/react-query';
import type { Reward, RewardRule, Season, SeasonSummary } from '../../../server/contract/seasons.ts';
import { day, listing, number } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { seasonLine } from '../../shared/boards/season-words.ts';
import { pointCount } from '../../shared/tasks/words.ts';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Who gets a reward, in a sentence. */
export function ruleWords(rule: RewardRule): string {
  switch (rule.type) {
    case 'all':
      return m.member_reward_all({ points: pointCount(rule.minPoints) });
    case 'first_come':
      return m.member_reward_first({
        count: rule.places,
        n: number(rule.places),
        points: pointCount(rule.minPoints),
      });
    case 'raffle':
      return rule.tickets === 'one_each'
        ? m.member_reward_raffle({ places: number(rule.places), points: pointCount(rule.minPoints) })
        : m.member_reward_raffle_points({ places: number(rule.places), points: pointCount(rule.minPoints) });
    case 'top_n':
      return m.member_reward_top({ count: rule.places, n: number(rule.places) });
    case 'top_percent':
      return m.member_reward_percent({ percent: number(rule.percent) });
  }
}

/** A season: its duration, rules, prizes and, afterwards, winners. */
export function SeasonRoom(props: { communityId: string; season: SeasonSummary; detail: Season | undefined }) {
  const { communityId, season, detail } = props;
  const now = useNow();
  return (
    <section>
      <SectionHead title={season.name} />
      <Card className="stack-medium leaderboard__aside">
        <section>
          <p className="flex-row">
            <Icon name="season" />
            <span>{seasonLine(season, now)}</span>
          </p>
          {detail?.rules && <p className="text-small text-muted written-text">{detail.rules}</p>}
          {detail && detail.taskIds.length > 0 && (
            <p className="text-small text-muted">
              {m.member_season_tasks({ count: detail.taskIds.length, n: number(detail.taskIds.length) })}
            </p>
          )}
        </section>
        {detail?.rewards.map((reward) => (
          <RewardPart key={reward.id} communityId={communityId} reward={reward} />
        ))}
      </Card>
    </section>
  );
}

function RewardPart({ communityId, reward }: { communityId: string; reward: Reward }) {
  return (
    <section>
      <h3 className="flex-row">
        <Icon name="reward" />
        <span>{reward.name}</span>
      </h3>
      {reward.description && <p className="text-small">{reward.description}</p>}
      <p className="text-small text-muted">{ruleWords(reward.rule)}</p>
      {reward.minTrust !== null && <p className="text-small text-muted">{m.member_reward_trust()}</p>}
      {reward.drawnAt === null ? (
        reward.seedHash && (
          <details className="text-small draw-seed">
            <summary>{m.member_reward_seed()}</summary>
            <code className="break-anywhere">{reward.seedHash}</code>
          </details>
        )
      ) : (
        <Winners communityId={communityId} reward={reward} drawnAt={reward.drawnAt} />
      )}
    </section>
  );
}

function Winners({ communityId, reward, drawnAt }: { communityId: string; reward: Reward; drawnAt: string }) {
  const detail = useQuery(
    read('GET /api/communities/:communityId/rewards/:rewardId', { communityId, rewardId: reward.id }),
  ).data;
  if (!detail) return null;
  const names = detail.winners.map(({ me, displayName }) => (me ? m.member_you() : displayName));
  return (
    <>
      <p className="text-small">
        {names.length === 0
          ? m.member_reward_nobody({ date: day(drawnAt) })
          : m.member_reward_winners({ date: day(drawnAt), who: listing(names) })}
      </p>
      {detail.seed && (
        <details className="text-small draw-seed">
          <summary>{m.member_reward_again()}</summary>
          <p className="text-muted">
            {m.member_reward_again_line({ method: detail.method ?? '', n: number(detail.entrants) })}
          </p>
          <code className="break-anywhere">{detail.seed}</code>
        </details>
      )}
    </>
  );
}
