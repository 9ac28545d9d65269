import { describe, expect, test } from 'vitest';
import { countQueued } from '../../server/features/analytics/counts.ts';
import { countPushes } from '../../server/features/analytics/pushes.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { writeYear, type YearFigures } from '../support/year.ts';

const DAY_MS = 86_400_000;
const DAYS = 365;

const server = await ofFile(testServer({ sandbox: false }));
const now = server.runtime.now();
const today = dayOf(now);
const year = await writeYear(server.sql, { now, days: DAYS, people: 150, claims: 6_000 });
const { cookie } = await server.person({ role: 'ops' });
// Not one of those who came: the figures are those of the year.
await server.sql`update users set created_at = '2000-01-01' where role = 'ops' or telegram_user_id between 7000000 and 7999999`;
await countQueued(server.runtime);

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
const plus = (day: string, count: number): string => dayOf(new Date(Date.parse(day) + count * DAY_MS));
const read = async (widget: string, query: string) => {
  const reply = await server.request('GET', `/api/admin/analytics/${widget}?${query}`, { cookie });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

type Looked = { from: string; to: string; community: string | null };
/** What is asked for, in the words of the address and of the oracle. */
function asks(): [string, Looked][] {
  const yesterday = plus(today, -1);
  const days = (count: number, community: string | null = null): Looked => ({
    from: plus(yesterday, 1 - count),
    to: yesterday,
    community,
  });
  const [one = '', other = ''] = year.communities;
  return [
    ['', days(30)],
    ['days=7', days(7)],
    [`days=90&community=${one}`, days(90, one)],
    ['days=365', days(365)],
    [
      `from=${plus(today, -200)}&to=${today}&community=${other}`,
      { from: plus(today, -200), to: today, community: other },
    ],
    [`from=${today}&to=${today}`, { from: today, to: today, community: null }],
  ];
}

const SENT = ['submitted', 'resubmitted', 'checked'];
const isSent = ({ kind }: YearFigures) => SENT.includes(kind);
const isMade = (event: YearFigures) => isSent(event) && event.from === null;
const isLate = ({ at, actedAt }: YearFigures) => at.getTime() - actedAt.getTime() > 60_000;
const ofPlace = ({ community }: Looked) =>
  year.events.filter((event) => community === null || event.community === community);
const inDays = (looked: Looked) =>
  ofPlace(looked).filter(({ at }) => dayOf(at) >= looked.from && dayOf(at) <= looked.to);
const eachDay = ({ from, to }: Looked): string[] => {
  const all: string[] = [];
  for (let day = from; day <= to; day = plus(day, 1)) all.push(day);
  return all;
};
const mondayOf = (day: string): string => plus(day, -((new Date(day).getUTCDay() + 6) % 7));

describe('figures are the counts of the history itself', () => {
  test('active people by day, week and month, each counted once', async () => {
    for (const [query, looked] of asks()) {
      const figures = await read('people', query);
      const byDay = new Map<string, Set<string>>();
      for (const { user, at } of ofPlace(looked).filter(isSent))
        byDay.set(dayOf(at), (byDay.get(dayOf(at)) ?? new Set()).add(user));
      const on = (isIn: (day: string) => boolean) =>
        new Set([...byDay].flatMap(([day, users]) => (isIn(day) ? [...users] : []))).size;
      expect(figures.range).toEqual({ from: looked.from, to: looked.to });
      expect(figures.uncounted).toBe(0);
      expect(figures.days).toEqual(eachDay(looked).map((starts) => ({ starts, people: on((day) => day === starts) })));
      for (const { starts, people } of figures.weeks)
        expect(people, starts).toBe(on((day) => mondayOf(day) === starts));
      for (const { starts, people } of figures.months)
        expect(people, starts).toBe(on((day) => day.slice(0, 7) === starts.slice(0, 7)));
      expect(figures.weeks[0].starts).toBe(mondayOf(looked.from));
      const last = (count: number) => on((day) => day > plus(looked.to, -count) && day <= looked.to);
      expect(figures.active).toEqual({ day: last(1), week: last(7), month: last(30) });
    }
  });

  test('who comes back on day 1, 7 and 30, by the fortnight they came in', async () => {
    for (const [query, looked] of asks()) {
      const sent = new Set(
        ofPlace(looked)
          .filter(isSent)
          .map(({ user, at }) => `${user} ${dayOf(at)}`),
      );
      const came = year.people.flatMap(({ id, createdAt, joined }) => {
        const at =
          looked.community === null ? createdAt : joined.find(({ community }) => community === looked.community)?.at;
        return at ? [{ id, day: dayOf(at) }] : [];
      });
      const { cohorts } = await read('retention', query);
      const expected = [6, 5, 4, 3, 2, 1].map((back) => {
        const from = plus(looked.to, 1 - back * 14);
        const group = came.filter(({ day }) => day >= from && day < plus(from, 14));
        const returned = (days: number) => {
          const due = group.filter(({ day }) => plus(day, days) <= looked.to);
          return { due: due.length, back: due.filter(({ id, day }) => sent.has(`${id} ${plus(day, days)}`)).length };
        };
        return { from, people: group.length, day1: returned(1), day7: returned(7), day30: returned(30) };
      });
      // Leaders and reviewers of the stage joined long before.
      expect(cohorts).toEqual(expected);
    }
  });

  test('how far people got, and how far in a community', async () => {
    const sent = year.events.filter(isSent);
    await server.sql`insert into visit_days (what, day, count) values ('landing', ${plus(today, -3)}, 40), ('landing', ${plus(today, -40)}, 7)`;
    for (const [query, looked] of asks()) {
      const { steps } = await read('funnel', query);
      const isIn = (at: Date) => dayOf(at) >= looked.from && dayOf(at) <= looked.to;
      const lastOf = (user: string, community: string | null) =>
        sent
          .filter((event) => event.user === user && (community === null || event.community === community))
          .map(({ at }) => dayOf(at))
          .sort()
          .at(-1);
      const { community } = looked;
      if (community === null) {
        const reached = year.people
          .filter(({ createdAt }) => isIn(createdAt))
          .map(({ id, createdAt, hasX, isVerified, joined }) => {
            const last = lastOf(id, null);
            if (last !== undefined) return last >= plus(dayOf(createdAt), 7) ? 6 : 5;
            if (joined.length > 0) return 4;
            return isVerified ? 3 : hasX ? 2 : 1;
          });
        const landings =
          (plus(today, -3) >= looked.from && plus(today, -3) <= looked.to ? 40 : 0) +
          (plus(today, -40) >= looked.from && plus(today, -40) <= looked.to ? 7 : 0);
        expect(steps.map(({ count }: { count: number }) => count)).toEqual([
          landings,
          ...[1, 2, 3, 4, 5, 6].map((step) => reached.filter((one) => one >= step).length),
        ]);
      } else {
        const final = new Map(year.events.map(({ claim, to }) => [claim, to]));
        const reached = year.people.flatMap(({ id, joined }) => {
          const at = joined.find((one) => one.community === community)?.at;
          if (!at || !isIn(at)) return [];
          const last = lastOf(id, community);
          if (last !== undefined && last >= plus(dayOf(at), 7)) return [3];
          const isApproved = year.events.some(
            (event) => event.user === id && event.community === community && final.get(event.claim) === 'approved',
          );
          return [isApproved ? 2 : last === undefined ? 0 : 1];
        });
        expect(steps.map(({ step }: { step: string }) => step)).toEqual([
          'joined',
          'first_answer',
          'first_approved',
          'day7',
        ]);
        expect(steps.map(({ count }: { count: number }) => count)).toEqual(
          [0, 1, 2, 3].map((step) => reached.filter((one) => one >= step).length),
        );
      }
    }
  });

  test('how long a decision took, exact to the minute', async () => {
    const histories = new Map<string, YearFigures[]>();
    for (const event of year.events) histories.set(event.claim, [...(histories.get(event.claim) ?? []), event]);
    for (const [query, looked] of asks()) {
      const waits = inDays(looked)
        .filter(({ kind }) => ['approved', 'rejected', 'sent_back', 'appeal_granted', 'appeal_refused'].includes(kind))
        .map((decision) => {
          const asked = (histories.get(decision.claim) ?? [])
            .filter(({ at, kind }) => at < decision.at && ['submitted', 'resubmitted', 'appealed'].includes(kind))
            .at(-1);
          return Math.floor((decision.at.getTime() - (asked?.at.getTime() ?? 0)) / 60_000);
        })
        .sort((one, other) => one - other);
      const figures = await read('reviews', query);
      const at = (share: number) => waits[Math.ceil(waits.length * share) - 1] ?? null;
      expect(figures.decisions).toBe(waits.length);
      expect(figures.minutes).toEqual({ p50: at(0.5), p95: at(0.95) });
      const between = (from: number, to: number) => waits.filter((one) => one >= from && one < to).length;
      expect(figures.buckets.map(({ count }: { count: number }) => count)).toEqual([
        between(0, 60),
        between(60, 180),
        between(180, 300),
        between(300, 720),
        between(720, 1_440),
        between(1_440, Number.POSITIVE_INFINITY),
      ]);
    }
  });

  test('answers made offline, and tasks by completion and rejection', async () => {
    for (const [query, looked] of asks()) {
      const events = inDays(looked);
      const { days, minutes } = await read('offline', query);
      const byDay = new Map<string, YearFigures[]>(eachDay(looked).map((day) => [day, []]));
      for (const event of events.filter(isMade)) byDay.get(dayOf(event.at))?.push(event);
      expect(days).toEqual(
        [...byDay].map(([day, made]) => {
          return { day, made: made.length, late: made.filter(isLate).length };
        }),
      );
      const late = events
        .filter((event) => isMade(event) && isLate(event))
        .map(({ at, actedAt }) => Math.floor((at.getTime() - actedAt.getTime()) / 60_000))
        .sort((one, other) => one - other);
      expect(minutes).toEqual({
        p50: late[Math.ceil(late.length * 0.5) - 1] ?? null,
        p95: late[Math.ceil(late.length * 0.95) - 1] ?? null,
      });
      const { tasks, more } = await read('tasks', query);
      expect(more).toBe(0);
      for (const { taskId, made, approved, refused } of tasks) {
        const of = events.filter(({ task }) => task === taskId);
        expect({ made, approved, refused }).toEqual({
          made: of.filter(isMade).length,
          approved: of.filter(({ to, kind }) => to === 'approved' && kind !== 'reversed').length,
          refused: of.filter(({ to, kind }) => to === 'rejected' && (kind === 'rejected' || kind === 'checked')).length,
        });
      }
      expect(new Set(tasks.map(({ taskId }: { taskId: string }) => taskId))).toEqual(
        new Set(events.map(({ task }) => task)),
      );
    }
  });
});

test('notifications by day: devices that took them, people who saw and opened them', async () => {
  const [person = '', other = ''] = year.people.map(({ id }) => id);
  const [community = ''] = year.communities;
  const at = new Date(`${plus(today, -2)}T12:00:00Z`);
  const tell = async (communityId: string | null, sent: number, topic = 'announcement') => {
    const [row] = await server.sql<[{ id: string }]>`
      insert into notifications (topic, community_id, path, title, body, created_at, send_at, state, sent, failed)
      values (${topic}, ${communityId}, '/', 'T', 'B', ${at}, ${at}, 'done', ${sent}, 1) returning id`;
    return row.id;
  };
  const [one, two] = [await tell(community, 5), await tell(null, 3)];
  await tell(community, 50, 'test');
  const happen = (id: string, user: string, event: string) => server.sql`
    insert into notification_events (notification_id, user_id, event, at) values (${id}, ${user}, ${event}, ${at})`;
  await happen(one, person, 'shown');
  await happen(one, other, 'shown');
  // Opened and put off is opened once.
  await happen(one, person, 'clicked');
  await happen(one, person, 'snoozed');
  await happen(two, other, 'shown');
  await countPushes(server.runtime);
  const ofDay = async (query: string) =>
    (await read('push', query)).days.find(({ day }: { day: string }) => day === plus(today, -2));
  expect(await ofDay('days=7')).toEqual({ day: plus(today, -2), sent: 8, gone: 0, failed: 2, shown: 3, opened: 1 });
  expect(await ofDay(`days=7&community=${community}`)).toMatchObject({ sent: 5, shown: 2, opened: 1 });
  // Deleted in time, they stay counted.
  await server.sql`delete from notifications`;
  await countPushes(server.runtime);
  expect(await ofDay('days=7')).toMatchObject({ sent: 8, shown: 3, opened: 1 });
});

test('each table is a file, days that are none are refused, and a community of nowhere is not found', async () => {
  const file = await server.request('GET', '/api/admin/analytics/export?table=people&days=7', { cookie });
  expect(file.headers.get('content-type')).toContain('text/csv');
  expect(file.headers.get('content-disposition')).toContain(
    `analytics-people-${plus(today, -7)}-${plus(today, -1)}.csv`,
  );
  expect(file.text.replace('\ufeff', '').split('\r\n')[0]).toBe('"span","starts","people"');
  const { days } = await read('people', 'days=7');
  expect(file.text).toContain(`"day","${days[0].starts}",${days[0].people}`);
  for (const table of ['retention', 'funnel', 'reviews', 'push', 'installs', 'offline', 'tasks'])
    expect((await server.request('GET', `/api/admin/analytics/export?table=${table}`, { cookie })).status, table).toBe(
      200,
    );
  const status = async (query: string) =>
    (await server.request('GET', `/api/admin/analytics/people?${query}`, { cookie })).status;
  expect(await status(`from=${today}&to=${plus(today, -1)}`)).toBe(422);
  expect(await status(`from=2020-01-01&to=${today}`)).toBe(422);
  expect(await status(`from=${today}&to=${plus(today, 1)}`)).toBe(422);
  expect(await status('community=nowhere')).toBe(404);
});
