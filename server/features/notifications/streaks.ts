import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { STREAK_REMINDER_FROM_HOUR, STREAK_REMINDER_UNTIL_HOUR } from '../../contract/limits.ts';
import { START_PATH } from '../../contract/start-path.ts';
import { localDay } from '../../domain/periods.ts';
import { localMinute } from '../../domain/quiet-hours.ts';
import { momentOf } from '../../domain/time-zone.ts';
import { dayAt } from '../../rules/periods.ts';
import { zoneOf } from '../../storage/zone.ts';
import { INSTANCE } from '../ledger/record.ts';
import { notifyEach } from './notify.ts';

const PEOPLE_AT_ONCE = 1_000;
/** What was sent today may still be turned down. */
const LOOK_AGAIN_MS = 10 * 60_000;

const OPEN_TODAY = {
  ends: ['Your streak ends today', 'One task keeps it going.'],
  held: ['Keep your streak today', 'One task is enough. A missed day would be forgiven or use a freeze.'],
} as const;

type Streak = {
  id: string;
  countedDay: string;
  endsOn: string;
  remindedOn: string | null;
  zone: string;
  /** When another zone begins to count. */
  zoneFrom: Date | null;
  isSuspended: boolean;
};
/** What a zone's clocks show, and when its evenings begin. */
type Local = { today: string; hour: number; evening: Date; nextEvening: Date };
/** `next` null: the streak is over, until something counts again. */
type Looked = Streak & { today: string; next: Date | null; isAtRisk: boolean };

/**
 * Reminds members in their evening whose streak lacks the day, and says whether it would end. Once a day. A job that looks at
 * each in their evening (`member_days.look_at`), so between the evenings it reads nothing; an answer of some seconds ago may
 * not be counted yet.
 */
export async function remindStreaks({ sql, now: clock }: { sql: Sql } & Pick<Runtime, 'now'>): Promise<void> {
  const now = clock();
  const zones = new Map<string, Local>();
  let looked = PEOPLE_AT_ONCE;
  while (looked === PEOPLE_AT_ONCE) looked = await sql.begin((tx) => lookAtNext(tx, now, zones));
}

async function lookAtNext(tx: TransactionSql, now: Date, zones: Map<string, Local>): Promise<number> {
  const people = await tx<Streak[]>`
    select u.id, d.counted_day::text as "countedDay", d.ends_on::text as "endsOn", d.reminded_on::text as "remindedOn",
      ${zoneOf(tx, now)} as zone, u.time_zone_from as "zoneFrom", u.suspended_at is not null as "isSuspended"
    from (
      select * from member_days where community_id = ${INSTANCE} and look_at <= ${now} order by look_at, user_id
      limit ${PEOPLE_AT_ONCE}
    ) d join users u on u.id = d.user_id`;
  const looked = people.map((person) => look(person, now, localOf(person.zone, now, zones)));
  if (looked.length === 0) return 0;
  const open = looked.filter(({ isAtRisk }) => isAtRisk);
  const reminded = await remind(tx, open, now);
  const later = new Date(now.getTime() + LOOK_AGAIN_MS);
  const nexts = looked.map(
    ({ id, isAtRisk, next }) => (isAtRisk && !reminded.has(id) ? later : next)?.toISOString() ?? null,
  );
  await tx`
    update member_days d set look_at = o.next
    from unnest(${looked.map(({ id }) => id)}::uuid[], ${nexts}::timestamptz[]) as o (id, next)
    where d.user_id = o.id and d.community_id = ${INSTANCE}`;
  return looked.length;
}

// Computed here, because the database fails on a zone that only one of the two knows.
function localOf(zone: string, now: Date, zones: Map<string, Local>): Local {
  const known = zones.get(zone);
  if (known) return known;
  const today = localDay(now, zone);
  const eveningOf = (day: string) => momentOf(`${day}T${STREAK_REMINDER_FROM_HOUR}:00`, zone);
  const local = {
    today,
    hour: localMinute(now, zone) / 60,
    evening: eveningOf(today),
    nextEvening: eveningOf(dayAt(today, 1)),
  };
  zones.set(zone, local);
  return local;
}

function look(person: Streak, now: Date, { today, hour, evening, nextEvening }: Local): Looked {
  const { countedDay, endsOn, remindedOn, zoneFrom, isSuspended } = person;
  const isOpen = countedDay < today && endsOn >= today && remindedOn !== today && !isSuspended;
  const isEvening = hour >= STREAK_REMINDER_FROM_HOUR && hour < STREAK_REMINDER_UNTIL_HOUR;
  const livesOn = endsOn > today || (isOpen && evening > now);
  const atHome = isOpen && evening > now ? evening : nextEvening;
  const next = zoneFrom && zoneFrom > now && zoneFrom < atHome ? zoneFrom : atHome;
  return { ...person, today, isAtRisk: isOpen && isEvening, next: livesOn ? next : null };
}

/** Reminds those of whom nothing waits for a decision today. Returns whom. */
async function remind(tx: TransactionSql, open: readonly Looked[], now: Date): Promise<Set<string>> {
  if (open.length === 0) return new Set();
  const [ids, days] = [open.map(({ id }) => id), open.map(({ today }) => today)];
  const rows = await tx<{ id: string }[]>`
    update member_days d set reminded_on = o.today from unnest(${ids}::uuid[], ${days}::date[]) as o (id, today)
    where d.user_id = o.id and d.community_id = ${INSTANCE} and not exists (
      select from claims c where c.user_id = o.id and c.state in ('submitted', 'checking') and c.local_day >= o.today)
    returning o.id`;
  const reminded = new Set(rows.map(({ id }) => id));
  for (const word of ['ends', 'held'] as const) {
    const [title, body] = OPEN_TODAY[word];
    const people = open
      .filter(({ id, today, endsOn }) => reminded.has(id) && (endsOn > today ? 'held' : 'ends') === word)
      .map(({ id }) => id);
    if (people.length > 0) await notifyEach(tx, { topic: 'streak', path: START_PATH, title, body, at: now }, people);
  }
  return reminded;
}
