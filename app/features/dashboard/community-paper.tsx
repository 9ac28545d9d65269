import './community-paper.css';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { SeasonSummary } from '../../../server/contract/seasons.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { phaseOf, seasonLine } from '../../shared/boards/season-words.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { Anchor } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Hatch } from '../../ui/icon.tsx';
import { Announcements, isPinned } from './announcements.tsx';
import { Fold } from './task-row.tsx';

/** The community's news: its season and the newest announcement, a pinned one first, without repeats. */
export function CommunityPaper({ dashboard, now }: { dashboard: Dashboard; now: number }) {
  const { season, announcements, community } = dashboard;
  const first = announcements.find((one) => isPinned(one, now)) ?? announcements[0];
  const earlier = announcements.filter((one) => one !== first);
  if (!season && !first) return null;
  return (
    <>
      <SectionHead title={m.today_community()} />
      <Card className="community-paper">
        {season && <Season season={season} slug={community.slug} now={now} />}
        {first && (
          <div className="community-paper__words">
            <div className="flex-row">
              <PersonAvatar name={first.by} />
              <div className="flex-grow">
                <b>{first.title}</b>
                <p className="text-tiny text-muted">{m.member_by_at({ who: first.by, when: whenWord(first.at) })}</p>
              </div>
            </div>
            <p className="text-small written-text">{first.body}</p>
          </div>
        )}
      </Card>
      {earlier.length > 0 && (
        <Fold words={m.today_earlier({ count: earlier.length, n: number(earlier.length) })}>
          <Announcements announcements={earlier} />
        </Fold>
      )}
    </>
  );
}

function Season({ season, slug, now }: { season: SeasonSummary; slug: string; now: number }) {
  const line = seasonLine(season, now);
  const starts = season.startsAt === null ? Number.NaN : Date.parse(season.startsAt);
  const gone = (now - starts) / (Date.parse(season.endsAt) - starts);
  return (
    <Anchor to="/leaderboard" search={{ community: slug, period: 'season' }} className="community-paper__season">
      <span>
        <b>{season.name}</b>
        <span className="text-small text-muted">{line}</span>
      </span>
      {phaseOf(season, now) === 'live' && Number.isFinite(gone) && <Hatch done={gone} label={line} />}
      <span className="visually-hidden">{m.member_season_open()}</span>
    </Anchor>
  );
}
