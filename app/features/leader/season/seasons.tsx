import './seasons.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { BoardState } from '../../../../server/contract/boards.ts';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { Season, SeasonState } from '../../../../server/contract/seasons.ts';
import type { Task } from '../../../../server/contract/tasks.ts';
import { listing, number, stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Confirm, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Segment } from '../../../ui/segment.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { Rewards } from './rewards.tsx';
import { SeasonForm } from './season-form.tsx';

const STATE_WORDS: Record<SeasonState, () => string> = {
  draft: m.leader_season_draft,
  live: m.leader_season_live,
  grace: m.leader_season_in_grace,
  frozen: m.leader_season_frozen,
};
const STATE_CHIPS = { draft: 'pencil', live: 'ink', grace: 'cross', frozen: 'plain' } as const;

/** Seasons, latest first, with their rewards; beside them, how much of the leaderboard members see. */
export function Seasons({ community, tasks }: { community: CommunitySummary; tasks: readonly Task[] }) {
  const communityId = community.id;
  const leads = community.role === 'leader';
  const query = useQuery(read('GET /api/communities/:communityId/seasons', { communityId }));
  const [editing, setEditing] = useState<Season | 'new' | null>(null);
  const list = useListFocus<HTMLDivElement>();
  const close = useCallback(() => setEditing(null), []);
  const plan = (
    <Button icon="plus" onClick={() => setEditing('new')}>
      {m.leader_season_plan()}
    </Button>
  );
  return (
    <>
      <div ref={list}>
        <Reading query={query}>
          {(seasons) =>
            seasons.length === 0 ? (
              <Empty title={m.leader_no_seasons()} line={m.leader_no_seasons_line()} {...(leads && { action: plan })} />
            ) : (
              <>
                <SectionHead title={m.leader_tab_seasons()} end={leads ? plan : undefined} />
                <ul className="stack-medium">
                  {seasons.map((season) => (
                    <li key={season.id} data-row>
                      <OneSeason
                        community={community}
                        season={season}
                        tasks={tasks}
                        onEdit={() => setEditing(season)}
                      />
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Reading>
      </div>
      {/* Rendered together with the list above, so it is not pushed down when that loads. */}
      {leads && !query.isPending && <BoardSwitch communityId={communityId} slug={community.slug} />}
      <Sheet title={m.leader_season_plan()} open={editing !== null} onClose={close}>
        {editing !== null && (
          <SeasonForm
            communityId={communityId}
            tasks={tasks}
            season={editing === 'new' ? null : editing}
            onDone={close}
          />
        )}
      </Sheet>
    </>
  );
}

function OneSeason(props: { community: CommunitySummary; season: Season; tasks: readonly Task[]; onEdit: () => void }) {
  const { community, season } = props;
  const [asking, setAsking] = useState<'start' | 'end' | 'drop' | null>(null);
  const close = useCallback(() => setAsking(null), []);
  const params = { communityId: community.id, seasonId: season.id };
  const start = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/seasons/:seasonId/start', { params, idempotencyKey }),
    close,
  );
  const end = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/seasons/:seasonId/end', { params, idempotencyKey }),
    close,
  );
  const drop = useCommand(
    (_: null, idempotencyKey) =>
      call('DELETE /api/communities/:communityId/seasons/:seasonId', { params, idempotencyKey }),
    close,
  );
  const leads = community.role === 'leader';
  const titles = season.taskIds.flatMap((id) => props.tasks.find((task) => task.id === id)?.title ?? []);
  return (
    <Card className="season-row">
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow">{season.name}</h3>
        <Chip kind={STATE_CHIPS[season.state]}>{STATE_WORDS[season.state]()}</Chip>
      </div>
      <p className="text-small text-muted">{whenLine(season)}</p>
      {season.rules && <p className="text-small written-text">{season.rules}</p>}
      <p className="text-small text-muted">
        {season.taskIds.length === 0
          ? m.leader_season_all_count()
          : m.leader_season_some_count({ tasks: listing(titles) })}
      </p>
      {leads && (
        <div className="actions">
          {season.state === 'draft' && (
            <>
              <Button icon="season" onClick={() => setAsking('start')}>
                {m.leader_season_start()}
              </Button>
              <Button kind="edge" icon="edit" onClick={props.onEdit}>
                {m.leader_edit()}
              </Button>
              <Button kind="words" icon="discard" onClick={() => setAsking('drop')}>
                {m.leader_season_drop()}
              </Button>
            </>
          )}
          {season.state === 'live' && (
            <Button kind="no" onClick={() => setAsking('end')}>
              {m.leader_season_end()}
            </Button>
          )}
        </div>
      )}
      {season.state !== 'draft' && (
        <ButtonLink
          kind="words"
          icon="board"
          to="/leaderboard"
          search={{ community: community.slug, period: 'season', season: season.id }}
        >
          {m.leader_season_board()}
        </ButtonLink>
      )}
      <Rewards communityId={community.id} season={season} leads={leads} />
      <Confirm
        title={m.leader_season_start_title({ season: season.name })}
        line={m.leader_season_start_line()}
        action={m.leader_season_start()}
        cancel={m.leader_not_yet()}
        open={asking === 'start'}
        onClose={close}
        command={start}
        body={null}
      />
      <Confirm
        title={m.leader_season_end_title({ season: season.name })}
        line={m.leader_season_end_line({ count: season.graceHours, n: number(season.graceHours) })}
        action={m.leader_season_end()}
        cancel={m.leader_not_yet()}
        open={asking === 'end'}
        onClose={close}
        command={end}
        body={null}
      />
      <Confirm
        title={m.leader_season_drop_title({ season: season.name })}
        line={m.leader_season_drop_line()}
        action={m.leader_season_drop()}
        cancel={m.leader_not_yet()}
        open={asking === 'drop'}
        onClose={close}
        command={drop}
        body={null}
      />
    </Card>
  );
}

function whenLine(season: Season): string {
  if (season.state === 'grace') return m.leader_season_grace_line({ time: stampTime(season.graceUntil) });
  if (season.state === 'frozen') return m.leader_season_frozen_line({ time: stampTime(season.graceUntil) });
  const words = season.state === 'draft' ? m.leader_season_draft_line : m.leader_season_live_line;
  return words({ time: stampTime(season.endsAt), n: number(season.graceHours) });
}

const BOARD_WORDS: Record<BoardState, { name: () => string; line: () => string }> = {
  open: { name: m.leader_board_open, line: m.leader_board_open_line },
  hidden: { name: m.leader_board_hidden, line: m.leader_board_hidden_line },
  frozen: { name: m.leader_board_frozen, line: m.leader_board_frozen_line },
};

/** Whether members see the leaderboard, and whether it is live. */
function BoardSwitch({ communityId, slug }: { communityId: string; slug: string }) {
  const reading = read('GET /api/communities/:communityId/leaderboard', { communityId }, { period: 'all' });
  const board = useQuery(reading);
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const change = useCommand(
    (state: BoardState, idempotencyKey) =>
      call('PUT /api/communities/:communityId/board', { params: { communityId }, body: { state }, idempotencyKey }),
    // Written into the query, which later changes by other leaders also reach.
    ({ state }) => client.setQueryData(reading.queryKey, (found) => found && { ...found, state }),
  );
  const shown = board.data?.state;
  return (
    <section>
      <SectionHead
        title={m.leader_board()}
        end={
          <ButtonLink kind="words" to="/leaderboard" search={{ community: slug }}>
            {m.leader_board_look()}
          </ButtonLink>
        }
      />
      <Card>
        <Reading query={board}>
          {() => (
            <div className="stack">
              <Segment
                label={m.leader_board()}
                options={(['open', 'hidden', 'frozen'] as const).map((value) => ({
                  value,
                  label: BOARD_WORDS[value].name(),
                }))}
                value={shown ?? 'open'}
                onChange={(state) => offline === null && change.mutate(state)}
              />
              <p className="text-small text-muted">{offline ?? BOARD_WORDS[shown ?? 'open'].line()}</p>
              <Refused error={change.error} />
            </div>
          )}
        </Reading>
      </Card>
    </section>
  );
}
