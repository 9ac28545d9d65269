import { describe, expect, it } from 'vitest';
import { ACTIVITY_PAGE } from '../../server/contract/limits.ts';
import { adjust } from '../../server/features/awards/adjust.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { leaveCommunity } from '../../server/features/communities/membership.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));
const on = stage(server.sql);

type Item = {
  id: string;
  kind: string;
  displayName: string;
  task: string | null;
  level: number | null;
  badge: string | null;
  me: boolean;
};
async function pageOf(communityId: string, query = '', cookie?: string) {
  const path = `/api/communities/${communityId}/activity${query}`;
  const reply = await server.request('GET', path, cookie === undefined ? {} : { cookie });
  expect(reply.status, reply.text).toBe(200);
  return reply.json as { items: Item[]; next: string | null };
}
const at = (minute: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000);
const doneBy = (items: readonly Item[], name: string) =>
  items.filter((one) => one.displayName === name).map(({ kind, task, badge, level }) => [kind, task ?? badge, level]);

describe('the activity of a community', () => {
  it('is who did what lately: approved answers with the level they reached, joins and badges', async () => {
    const place = await on.community();
    const mira = await on.member(place.id, 'Mira');
    const [small, large] = [await on.task(place, { points: 5 }), await on.task(place, { points: 100 })];
    await on.claim(place, small, mira, { now: at(1) });
    await on.claim(place, large, mira, { now: at(2) });
    const [title] = await server.sql<{ title: string }[]>`select title from tasks where id = ${large}`;
    const { items } = await pageOf(place.id);
    expect(items[0]).toMatchObject({ kind: 'counted', displayName: 'Mira', task: title?.title, level: 1, me: false });
    const did = doneBy(items, 'Mira');
    expect(did.filter(([kind]) => kind === 'counted').map(([, , level]) => level)).toEqual([1, null]);
    expect(did.at(-1)).toEqual(['joined', null, null]);
    expect(items.filter(({ badge }) => badge === 'first_step')).toHaveLength(1);
  });

  it('leaves out what waits or was taken back, gifts, and who left or is suspended', async () => {
    const place = await on.community();
    const [mira, tomas, noor] = [
      await on.member(place.id, 'Mira'),
      await on.member(place.id, 'Tomás'),
      await on.member(place.id, 'Noor'),
    ];
    const [daily, text] = [
      await on.task(place, { points: 5, recurrence: 'daily' }),
      await on.task(place, { kind: 'submit_text', points: 5 }),
    ];
    await on.claim(place, text, mira, { now: at(1), text: 'I wait' });
    const taken = await on.claim(place, daily, mira, { now: at(2) });
    const base = { communityId: place.id, leaderId: place.leader, now: at(3) };
    await server.sql.begin((tx) => reverseClaim(tx, { ...base, claimId: taken.id }, { reason: 'No' }));
    await server.sql.begin((tx) => adjust(tx, base, { userId: mira, points: 50, reason: 'A gift' }));
    await on.claim(place, daily, tomas, { now: at(4) });
    await on.claim(place, daily, noor, { now: at(5) });
    await server.sql.begin((tx) => leaveCommunity(tx, { communityId: place.id, userId: tomas, now: at(6) }));
    await server.sql`update users set suspended_at = now() where id = ${noor}`;
    const { items } = await pageOf(place.id);
    expect(doneBy(items, 'Mira').filter(([kind]) => kind === 'counted')).toEqual([]);
    expect([...doneBy(items, 'Tomás'), ...doneBy(items, 'Noor')]).toEqual([]);
  });

  it('has streaks of a week, wherever their days were, in each community of the member', async () => {
    const [place, other] = [await on.community(), await on.community()];
    const mira = await on.member(place.id, 'Mira');
    const daily = await on.task(place, { points: 1, recurrence: 'daily' });
    for (let day = 0; day < 7; day += 1) await on.claim(place, daily, mira, { now: at(day * 1_440) });
    const streaks = async (id: string) =>
      (await pageOf(id)).items.filter(({ badge }) => badge === 'week_streak').length;
    expect([await streaks(place.id), await streaks(other.id)]).toEqual([1, 0]);
    await on.join(other.id, mira);
    expect(await streaks(other.id)).toBe(1);
  });

  it('is read page by page, each thing once, also where many have one moment', async () => {
    const place = await on.community();
    const members = await Promise.all(Array.from({ length: 2 * ACTIVITY_PAGE }, () => on.member(place.id)));
    const daily = await on.task(place, { points: 1, recurrence: 'daily' });
    for (const one of members.slice(0, 10)) await on.claim(place, daily, one, { now: at(7) });
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await pageOf(place.id, next && `?after=${encodeURIComponent(next)}`);
      expect(page.items.length).toBeLessThanOrEqual(ACTIVITY_PAGE);
      seen.push(...page.items.map(({ kind, id }) => `${kind} ${id}`));
      next = page.next;
    }
    // Ten answers, ten first badges, and everybody who joined: the leader and the moderator too.
    expect(seen).toHaveLength(10 + 10 + members.length + 2);
    expect(new Set(seen).size).toBe(seen.length);
    const path = `/api/communities/${place.id}/activity?after=nowhere`;
    expect((await server.request('GET', path)).status).toBe(400);
  });

  it('of a private community is for its members', async () => {
    const place = await on.community('private');
    const [member, stranger] = [await server.person(), await server.person()];
    await on.join(place.id, member.userId);
    const path = `/api/communities/${place.id}/activity`;
    expect((await server.request('GET', path, { cookie: stranger.cookie })).status).toBe(404);
    expect((await server.request('GET', path)).status).toBe(404);
    const { items } = await pageOf(place.id, '', member.cookie);
    expect(items.some(({ me }) => me)).toBe(true);
  });
});
