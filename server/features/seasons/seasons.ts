import { isDeepStrictEqual } from 'node:util';
import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { PLANNED_WITHIN_MS, SEASON_MAX_DAYS, SEASONS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { NewSeason, Season, SeasonChange } from '../../contract/seasons.ts';
import { isId } from '../../domain/ids.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { lockCommunity } from '../ledger/lock.ts';
import { boardRows } from '../ledger/standings.ts';
import { notifyOfSeason } from '../notifications/happened.ts';
import { emit } from '../webhooks/emit.ts';
import { graceUntil, type SummaryRow, stateOf, summaryColumnsOf, summaryOf } from './current.ts';
import { readRewards, rewardOf } from './reward-rows.ts';

export type SeasonRow = SummaryRow & { communityId: string; rules: string; taskIds: string[] };
type Editor = { communityId: string; userId: string; now: Date };

const DAY_MS = 24 * 60 * 60_000;
const columns = (sql: ISql) => sql`
  ${summaryColumnsOf(sql)}, s.community_id as "communityId", s.rules, s.task_ids as "taskIds"`;

const locked = () =>
  new HttpError(409, 'SEASON_LOCKED', 'The season is live or over: what it promised stays as it is.');

/** The latest first; drafts are only for who leads. */
export async function listSeasons(
  sql: ISql,
  { communityId, role, now }: { communityId: string; role: CommunityRole | null; now: Date },
): Promise<Season[]> {
  const rows = await sql<SeasonRow[]>`
    select ${columns(sql)} from seasons s
    where s.community_id = ${communityId} ${role === 'leader' ? sql`` : sql`and s.started_at is not null`}
    order by s.ends_at desc, s.id limit ${SEASONS_PER_COMMUNITY}`;
  return withRewards(sql, rows, now);
}

/** Throws 404 `NOT_FOUND`, also for a draft that the asker may not see. */
export async function readSeason(
  sql: ISql,
  {
    communityId,
    seasonId,
    role,
    now,
  }: { communityId: string; seasonId: string; role: CommunityRole | null; now: Date },
): Promise<Season> {
  const row = await findSeason(sql, communityId, seasonId);
  if (row.startedAt === null && role !== 'leader') throw notFound('season');
  return shown(sql, row, now);
}

async function shown(sql: ISql, row: SeasonRow, now: Date): Promise<Season> {
  const [season] = await withRewards(sql, [row], now);
  if (!season) throw new Error('one row gives one season');
  return season;
}

async function withRewards(sql: ISql, rows: readonly SeasonRow[], now: Date): Promise<Season[]> {
  const rewards = await readRewards(
    sql,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    ...summaryOf(row, now),
    rules: row.rules,
    graceHours: row.graceHours,
    taskIds: row.taskIds,
    rewards: rewards.filter((reward) => reward.seasonId === row.id).map(rewardOf),
  }));
}

/** Throws 404 `NOT_FOUND`. With `lock` it stays as it is until the transaction's end. */
export async function findSeason(sql: ISql, communityId: string, seasonId: string, lock = false): Promise<SeasonRow> {
  const [row] = isId(seasonId)
    ? await sql<SeasonRow[]>`
        select ${columns(sql)} from seasons s where s.id = ${seasonId} and s.community_id = ${communityId}
        ${lock ? sql`for update` : sql``}`
    : [];
  if (!row) throw notFound('season');
  return row;
}

/** The season of a change, locked. Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED` unless it is a draft. */
export async function findDraft(tx: TransactionSql, communityId: string, seasonId: string): Promise<SeasonRow> {
  const row = await findSeason(tx, communityId, seasonId, true);
  if (row.startedAt !== null) throw locked();
  return row;
}

/** Plans a season. Throws 409 `SEASON_LIMIT` and what `checked` throws. */
export async function createSeason(tx: TransactionSql, editor: Editor, input: NewSeason): Promise<Season> {
  const { communityId, userId, now } = editor;
  await tx`select from communities where id = ${communityId} for no key update`;
  const [held] = await tx<{ count: number }[]>`
    select count(*)::int from seasons where community_id = ${communityId}`;
  if ((held?.count ?? 0) >= SEASONS_PER_COMMUNITY) {
    throw new HttpError(409, 'SEASON_LIMIT', `A community keeps at most ${SEASONS_PER_COMMUNITY} seasons.`, {
      details: { limit: SEASONS_PER_COMMUNITY },
    });
  }
  const season = await checked(tx, communityId, input, now);
  const [row] = await tx<SeasonRow[]>`
    insert into seasons as s (community_id, name, rules, starts_at, ends_at, grace_hours, task_ids, created_by, created_at)
    values (${communityId}, ${season.name}, ${season.rules}, ${season.startsAt}, ${season.endsAt}, ${season.graceHours},
      ${season.taskIds}, ${userId}, ${now})
    returning ${columns(tx)}`;
  if (!row) throw new Error('an insert returned nothing');
  await audited(tx, editor, row, 'season.planned');
  return shown(tx, row, now);
}

/** Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED` and what `checked` throws. */
export async function changeSeason(
  tx: TransactionSql,
  editor: Editor & { seasonId: string },
  change: SeasonChange,
): Promise<Season> {
  const { communityId, seasonId, now } = editor;
  const old = await findDraft(tx, communityId, seasonId);
  const season = await checked(
    tx,
    communityId,
    {
      name: change.name ?? old.name,
      rules: change.rules ?? old.rules,
      startsAt: change.startsAt === undefined ? (old.startsAt?.toISOString() ?? null) : change.startsAt,
      endsAt: change.endsAt ?? old.endsAt.toISOString(),
      graceHours: change.graceHours ?? old.graceHours,
      taskIds: change.taskIds ?? old.taskIds,
    },
    now,
  );
  const [row] = await tx<SeasonRow[]>`
    update seasons s set name = ${season.name}, rules = ${season.rules}, starts_at = ${season.startsAt},
      ends_at = ${season.endsAt}, grace_hours = ${season.graceHours}, task_ids = ${season.taskIds}
    where s.id = ${old.id} returning ${columns(tx)}`;
  if (!row) throw new Error('an update returned nothing');
  if (!isDeepStrictEqual(row, old)) await audited(tx, editor, row, 'season.changed');
  return shown(tx, row, now);
}

/** Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED`. */
export async function dropSeason(tx: TransactionSql, editor: Editor & { seasonId: string }): Promise<void> {
  const row = await findDraft(tx, editor.communityId, editor.seasonId);
  await tx`delete from seasons where id = ${row.id}`;
  await audited(tx, editor, row, 'season.dropped');
}

/**
 * Locks the rules and goes live: what is recorded from now on counts. Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED`,
 * 409 `SEASON_RUNNING` (details: its name) while another is not frozen, 422 `DATE_OUT_OF_RANGE` when it would be over.
 */
export async function startSeason(tx: TransactionSql, editor: Editor & { seasonId: string }): Promise<Season> {
  const { communityId, seasonId, now } = editor;
  await lockCommunity(tx, communityId);
  const row = await findDraft(tx, communityId, seasonId);
  const [running] = await tx<{ name: string }[]>`
    select name from seasons where community_id = ${communityId} and started_at is not null and frozen_at is null`;
  if (running) {
    const details = { season: running.name };
    throw new HttpError(409, 'SEASON_RUNNING', `“${running.name}” is not over yet.`, { details });
  }
  if (row.endsAt <= now)
    throw outOfRange({ field: 'endsAt', days: null }, 'The season would be over already: choose a later end.');
  const started = await begin(tx, row, now);
  await audited(tx, editor, started, 'season.started');
  return shown(tx, started, now);
}

async function begin(tx: TransactionSql, row: SeasonRow, now: Date): Promise<SeasonRow> {
  await tx`update seasons set started_at = ${now} where id = ${row.id}`;
  const started = { ...row, startedAt: now };
  const data = { season: summaryOf(started, now) };
  await emit(tx, { communityId: row.communityId, event: 'season.started', at: now, data });
  await notifyOfSeason(tx, row, 'started', now);
  return started;
}

/** Ends a live season now; its grace begins. Throws 404 `NOT_FOUND`, 409 `SEASON_NOT_LIVE`. */
export async function endSeason(tx: TransactionSql, editor: Editor & { seasonId: string }): Promise<Season> {
  const { communityId, seasonId, now } = editor;
  await lockCommunity(tx, communityId);
  const row = await findSeason(tx, communityId, seasonId, true);
  if (stateOf(row, now) !== 'live') throw new HttpError(409, 'SEASON_NOT_LIVE', 'Only a live season can be ended.');
  await tx`update seasons set ends_at = ${now} where id = ${row.id}`;
  const ended = { ...row, endsAt: now };
  await audited(tx, editor, ended, 'season.ended');
  return shown(tx, ended, now);
}

/** Starts a draft whose time has come, if nothing is in its way. True when it did. */
export async function startDue(tx: TransactionSql, scope: { communityId: string; seasonId: string }, now: Date) {
  await lockCommunity(tx, scope.communityId);
  const row = await findSeason(tx, scope.communityId, scope.seasonId, true);
  const [running] = await tx`
    select from seasons where community_id = ${scope.communityId} and started_at is not null and frozen_at is null`;
  const isDue = row.startedAt === null && row.startsAt !== null && row.startsAt <= now && row.endsAt > now;
  if (running || !isDue) return false;
  const started = await begin(tx, row, now);
  await audited(tx, { communityId: scope.communityId, userId: null, now }, started, 'season.started');
  return true;
}

/** Copies the results of a season whose grace is over; from then on nothing changes them. True when it did. */
export async function freezeSeason(tx: TransactionSql, scope: { communityId: string; seasonId: string }, now: Date) {
  await lockCommunity(tx, scope.communityId);
  const row = await findSeason(tx, scope.communityId, scope.seasonId, true);
  if (row.startedAt === null || row.frozenAt !== null || graceUntil(row) > now) return false;
  await tx.unsafe(
    `insert into season_results (community_id, season_id, user_id, rank, points, reached_at)
    select $2::uuid, $1::uuid, user_id, rank() over (order by points desc), points, reached_at
    from (${boardRows('season', '$1', '')}) board`,
    [row.id, row.communityId],
  );
  await tx`
    insert into badges (user_id, community_id, code, earned_at)
    select user_id, ${row.communityId}, code, ${now}
    from season_results cross join (values ('season_podium', 3), ('season_winner', 1)) as prize (code, places)
    where season_id = ${row.id} and rank <= places
    on conflict do nothing`;
  await tx`update seasons set frozen_at = ${now} where id = ${row.id}`;
  const frozen = { ...row, frozenAt: now };
  const data = { season: summaryOf(frozen, now) };
  await emit(tx, { communityId: row.communityId, event: 'season.frozen', at: now, data });
  await notifyOfSeason(tx, row, 'frozen', now);
  await audited(tx, { communityId: row.communityId, userId: null, now }, frozen, 'season.frozen');
  return true;
}

const audited = (
  tx: TransactionSql,
  { communityId, userId, now }: { communityId: string; userId: string | null; now: Date },
  row: SeasonRow,
  action: string,
) => audit(tx, { communityId, actorId: userId, action, subject: row.name, subjectId: row.id, at: now });

const outOfRange = (details: ErrorDetails['DATE_OUT_OF_RANGE'], message: string) =>
  new HttpError(422, 'DATE_OUT_OF_RANGE', message, { details });

/** Throws 422 `DATE_OUT_OF_RANGE` (details: `{ field }`), 422 `UNKNOWN_TASK`, 400 `INVALID_INPUT`. */
async function checked(sql: ISql, communityId: string, input: NewSeason, now: Date) {
  const startsAt = input.startsAt === null ? null : new Date(input.startsAt);
  const endsAt = new Date(input.endsAt);
  const from = startsAt && startsAt > now ? startsAt : now;
  const latest = now.getTime() + PLANNED_WITHIN_MS;
  // A start that has just passed is a start at once; one from long ago is a mistake.
  if (startsAt && (startsAt.getTime() < now.getTime() - DAY_MS || startsAt.getTime() > latest)) {
    throw outOfRange({ field: 'startsAt' }, 'A season starts between now and two years from now.');
  }
  if (endsAt <= from || endsAt.getTime() > latest || endsAt.getTime() - from.getTime() > SEASON_MAX_DAYS * DAY_MS) {
    throw outOfRange(
      { field: 'endsAt', days: SEASON_MAX_DAYS },
      `A season ends after its start and lasts at most ${SEASON_MAX_DAYS} days.`,
    );
  }
  const taskIds = [...new Set(input.taskIds)];
  const [existing] = await sql<{ count: number }[]>`
    select count(*)::int from tasks where community_id = ${communityId} and id = any(${taskIds}::uuid[])`;
  if (existing?.count !== taskIds.length) {
    throw new HttpError(422, 'UNKNOWN_TASK', 'A chosen task is not one of this community.');
  }
  return {
    name: line('name', input.name),
    rules: prose('rules', input.rules),
    startsAt,
    endsAt,
    graceHours: input.graceHours,
    taskIds,
  };
}
