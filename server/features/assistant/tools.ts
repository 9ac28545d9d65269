import type { Sql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import type { Retrieved } from '../../contract/citations.ts';
import type { MyCommunity } from '../../contract/communities.ts';
import { levelOf } from '../../contract/limits.ts';
import {
  guidePassages,
  indexPassages,
  type Passage,
  type PassageIndex,
  rulesPassages,
} from '../../contract/passages.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Tool } from '../../integrations/ai/provider.ts';
import { listAnnouncements } from '../announcements/announcements.ts';
import { listMine } from '../claims/mine.ts';
import { readDashboard } from '../community-pages/dashboard.ts';
import { readDetail } from '../community-pages/detail.ts';
import { readProfile } from '../profile/profile.ts';

/** Whom a model reads for: through the functions behind the member's own screens, and nothing that they may not see. */
export type Reader = { sql: Sql; actor: Actor; mine: readonly MyCommunity[]; now: Date; read: Retrieved };
type Given = { community?: MyCommunity; query: string };
type Reading = Tool & { run: (reader: Reader, given: Given) => Promise<string> };

const FOUND_MAX = 4;
const COMMUNITY = { community: { type: 'string', description: 'The address of one of the member’s communities' } };
const inCommunity = { type: 'object', properties: COMMUNITY, required: ['community'], additionalProperties: false };
const nothing = { type: 'object', properties: {}, additionalProperties: false };

let index: PassageIndex | undefined;
const guides = (): PassageIndex => {
  index ??= indexPassages(guidePassages('phone'));
  return index;
};

/** Text of people, so that nothing in it can look like the end of it. */
const inert = (text: string): string => text.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'));

/** A source as a model reads it: data between marks that its text cannot hold. */
function shown(read: Retrieved, source: Parameters<Retrieved['add']>[0], text: string): string {
  const number = read.add(source);
  return `<source number="${number}" kind="${source.kind}" title="${inert(source.title).replaceAll('"', '”')}">\n${inert(text)}\n</source>`;
}
const shownPassage = (read: Retrieved, { id, kind, title, where, href, text }: Passage): string =>
  shown(read, { id, kind, title, where, href }, `${title}\n${text}`);

/** Passages of the guides that fit a question, as a model reads them. */
export const foundGuides = (read: Retrieved, question: string): string =>
  guides()
    .lookUp(question, FOUND_MAX)
    .map(({ passage }) => shownPassage(read, passage))
    .join('\n');

const dashboardOf = ({ sql, actor, now }: Reader, communityId: string) =>
  sql.begin(SNAPSHOT, (snapshot) =>
    readDashboard(snapshot, { communityId, userId: actor.userId, timeZone: actor.timeZone, now }),
  );

const claimPage = (slug: string, taskId: string): string => `/engagement-complete?community=${slug}&task=${taskId}`;

/** All that a model can do. None of them writes. */
export const TOOLS: readonly Reading[] = [
  {
    name: 'search_guides',
    description: 'Finds passages of the product’s guides: how things work, for members, leaders and operators.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' } },
      required: ['query'],
      additionalProperties: false,
    },
    run: async ({ read }, { query }) => foundGuides(read, query) || 'No guide says anything about that.',
  },
  {
    name: 'community_rules',
    description: 'The rules of one of the member’s communities.',
    parameters: inCommunity,
    run: async ({ sql, actor, now, read }, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const asked = { communityId: community.id, userId: actor.userId, role: community.role, now };
      const { rules } = await sql.begin(SNAPSHOT, (snapshot) => readDetail(snapshot, asked));
      const passages = rulesPassages(community, rules);
      return passages.map((passage) => shownPassage(read, passage)).join('\n') || 'It has written down no rules.';
    },
  },
  {
    name: 'announcements',
    description: 'The latest announcements of one of the member’s communities.',
    parameters: inCommunity,
    run: async ({ sql, now, read }, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const { items } = await listAnnouncements(sql, { communityId: community.id, after: undefined, now });
      const href = `/community/${community.slug}/dashboard`;
      return (
        items
          .map(({ id, title, body, by, at }) =>
            shown(
              read,
              { id: `announcement:${id}`, kind: 'announcement', title, where: community.name, href },
              `${title}\nBy ${by}, ${at}\n${body}`,
            ),
          )
          .join('\n') || 'There are none.'
      );
    },
  },
  {
    name: 'my_tasks',
    description:
      'The member’s tasks in one of their communities: points, whether they can be done now, and where they stand.',
    parameters: inCommunity,
    run: async (reader, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const { tasks } = await dashboardOf(reader, community.id);
      return (
        tasks
          .map((task) =>
            shown(
              reader.read,
              {
                id: `task:${task.id}`,
                kind: 'task',
                title: task.title,
                where: community.name,
                href: claimPage(community.slug, task.id),
              },
              [
                task.title,
                `${task.points} points, ${task.recurrence}, ${task.kind}`,
                task.claim
                  ? `My claim: ${task.claim.state}`
                  : task.gate.open
                    ? 'Can be done now'
                    : `Not now: ${task.gate.reason}`,
                task.schedule.closesAt ? `Closes ${task.schedule.closesAt}` : '',
                task.instructions,
              ]
                .filter(Boolean)
                .join('\n'),
            ),
          )
          .join('\n') || 'There are none.'
      );
    },
  },
  {
    name: 'my_claims',
    description: 'The member’s latest claims in one of their communities, with who decided and why.',
    parameters: inCommunity,
    run: async (reader, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const { sql, actor, read } = reader;
      const asked = { communityId: community.id, userId: actor.userId, after: undefined, state: undefined };
      const [{ items }, { tasks }] = await Promise.all([listMine(sql, asked), dashboardOf(reader, community.id)]);
      const titles = new Map(tasks.map(({ id, title }) => [id, title]));
      return (
        items
          .slice(0, CLAIMS_SHOWN)
          .map((claim) => {
            const title = titles.get(claim.taskId) ?? 'A task of before';
            return shown(
              read,
              {
                id: `claim:${claim.id}`,
                kind: 'claim',
                title,
                where: community.name,
                href: claimPage(community.slug, claim.taskId),
              },
              [
                title,
                `${claim.state}, ${claim.points} points, sent ${claim.submittedAt}`,
                claim.decidedAt
                  ? `Decided ${claim.decidedAt} by ${claim.decidedBy ?? 'the server'}`
                  : 'Not decided yet',
                claim.reason ? `Reason: ${claim.reason}` : '',
                claim.retryAt ? `Another try from ${claim.retryAt}` : '',
              ]
                .filter(Boolean)
                .join('\n'),
            );
          })
          .join('\n') || 'There are none.'
      );
    },
  },
  {
    name: 'my_standing',
    description: 'The member’s points, level, rank and streak, over all and in each community.',
    parameters: nothing,
    run: async ({ sql, actor, now, mine, read }) => {
      const profile = await sql.begin(SNAPSHOT, (snapshot) => readProfile(snapshot, actor, now));
      const { streak } = profile;
      const lines = mine.map(({ name, points, rank, todo, waiting }) => {
        const { level, into, needed } = levelOf(points);
        return `${name}: ${points} points, level ${level}, ${needed - into} points to level ${level + 1}, ${rank === null ? 'no rank' : `rank ${rank}`}, ${todo} tasks open, ${waiting} claims with reviewers`;
      });
      return shown(
        read,
        { id: 'standing', kind: 'standing', title: 'My standing', where: '', href: '/profile' },
        [
          `${profile.points} points in all`,
          `Streak: ${streak.days} days, ${streak.countedToday ? 'today is counted' : 'today is not counted yet'}, ${streak.freezes} freezes held`,
          `Last days: ${streak.calendar
            .slice(-7)
            .map(({ day, mark }) => `${day} ${mark}`)
            .join(', ')}`,
          ...lines,
        ].join('\n'),
      );
    },
  },
];
const CLAIMS_SHOWN = 20;
const QUERY_MAX = 200;
const NO_SUCH_COMMUNITY = 'The member belongs to no such community.';

/** Answers a model's call. A tool that does not exist, or arguments that are none, do nothing. */
export async function runTool(reader: Reader, name: string, written: string): Promise<string> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return 'There is no such tool.';
  const given = argumentsOf(written);
  const community = reader.mine.find(({ slug, id }) => slug === given['community'] || id === given['community']);
  const query = typeof given['query'] === 'string' ? given['query'].slice(0, QUERY_MAX) : '';
  return tool.run(reader, { query, ...(community && { community }) });
}

function argumentsOf(written: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(written || '{}');
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
