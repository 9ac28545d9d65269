import type { Sql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import type { MyCommunity } from '../../contract/communities.ts';
import { levelOf, TOOL_RESULT_BYTES_MAX } from '../../contract/limits.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import { bytesOf } from '../../integrations/ai/meter.ts';
import type { Tool } from '../../integrations/ai/provider.ts';
import type { Retrieved } from '../../rules/citations.ts';
import { guidePassages, indexPassages, type Passage, type PassageIndex, rulesPassages } from '../../rules/passages.ts';
import { listAnnouncements } from '../announcements/announcements.ts';
import { listMine } from '../claims/mine.ts';
import { readDashboard } from '../community-pages/dashboard.ts';
import { readDetail } from '../community-pages/detail.ts';
import { readProfile } from '../profile/profile.ts';

/**
 * The member for whom a model reads: through the functions behind the member's own screens, so it sees nothing that
 * they may not.
 */
export type Reader = { sql: Sql; actor: Actor; mine: readonly MyCommunity[]; now: Date; read: Retrieved };
type Given = { community?: MyCommunity; query: string };
/** A tool's result: sources, the most important first, or words that say why there are none. */
type Reading = Tool & { run: (reader: Reader, given: Given) => Promise<Source[] | string> };
type Source = Parameters<Retrieved['add']>[0] & { text: string };

const FOUND_MAX = 4;
const COMMUNITY = { community: { type: 'string', description: 'The address of one of the member’s communities' } };
const inCommunity = { type: 'object', properties: COMMUNITY, required: ['community'], additionalProperties: false };
const nothing = { type: 'object', properties: {}, additionalProperties: false };

let index: PassageIndex | undefined;
const guides = (): PassageIndex => {
  index ??= indexPassages(guidePassages('phone'));
  return index;
};

/** Members' text, escaped so it cannot look like the end of the source. */
const inert = (text: string): string => text.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'));

/** A source as a model reads it: data between marks that its text cannot hold. */
function shown({ kind, title, text }: Source, number: number): string {
  const cut = text.length > SOURCE_MAX ? `${text.slice(0, SOURCE_MAX)} […]` : text;
  return `<source number="${number}" kind="${kind}" title="${inert(title).replaceAll('"', '”')}">\n${inert(cut)}\n</source>`;
}
/** Characters of one source. */
const SOURCE_MAX = 2_000;
const MORE = 'There is more, which does not fit in here.';

/** As many sources as fit into the bytes; others cannot be cited. */
function shownWithin(read: Retrieved, sources: readonly Source[], space: number): string {
  const blocks: string[] = [];
  let left = space - bytesOf(JSON.stringify(MORE));
  for (const { text, ...source } of sources) {
    const block = shown({ ...source, text }, read.next(source));
    left -= bytesOf(JSON.stringify(block));
    if (left < 0) return [...blocks, MORE].join('\n');
    read.add(source);
    blocks.push(block);
  }
  return blocks.join('\n');
}

const ofPassage = ({ id, kind, title, where, href, text }: Passage): Source => ({
  id,
  kind,
  title,
  where,
  href,
  text: `${title}\n${text}`,
});

const guidesAbout = (question: string): Source[] =>
  guides()
    .lookUp(question, FOUND_MAX)
    .map(({ passage }) => ofPassage(passage));
/** Passages of the guides that fit a question, as a model reads them. */
export const foundGuides = (read: Retrieved, question: string): string =>
  shownWithin(read, guidesAbout(question), TOOL_RESULT_BYTES_MAX);

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
    run: async (_, { query }) => {
      const found = guidesAbout(query);
      return found.length > 0 ? found : 'No guide says anything about that.';
    },
  },
  {
    name: 'community_rules',
    description: 'The rules of one of the member’s communities.',
    parameters: inCommunity,
    run: async ({ sql, actor, now }, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const scope = { communityId: community.id, userId: actor.userId, role: community.role, now };
      const { rules } = await sql.begin(SNAPSHOT, (snapshot) => readDetail(snapshot, scope));
      const passages = rulesPassages(community, rules).filter(({ isFoundByHeading }) => !isFoundByHeading);
      return passages.length > 0 ? passages.map(ofPassage) : 'It has written down no rules.';
    },
  },
  {
    name: 'announcements',
    description: 'The latest announcements of one of the member’s communities.',
    parameters: inCommunity,
    run: async ({ sql, now }, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const { items } = await listAnnouncements(sql, { communityId: community.id, after: undefined, now });
      const href = `/community/${community.slug}/dashboard`;
      return items.map(({ id, title, body, by, at }) => ({
        id: `announcement:${id}`,
        kind: 'announcement' as const,
        title,
        where: community.name,
        href,
        text: `${title}\nBy ${by}, ${at}\n${body}`,
      }));
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
      return tasks.map((task) => ({
        id: `task:${task.id}`,
        kind: 'task' as const,
        title: task.title,
        where: community.name,
        href: claimPage(community.slug, task.id),
        text: lines(
          task.title,
          `${task.points} points, ${task.recurrence}, ${task.kind}`,
          task.claim
            ? `My claim: ${task.claim.state}`
            : task.gate.open
              ? 'Can be done now'
              : `Not now: ${task.gate.reason}`,
          task.schedule.closesAt && `Closes ${task.schedule.closesAt}`,
          task.instructions,
        ),
      }));
    },
  },
  {
    name: 'my_claims',
    description: 'The member’s latest claims in one of their communities, with who decided and why.',
    parameters: inCommunity,
    run: async (reader, { community }) => {
      if (!community) return NO_SUCH_COMMUNITY;
      const { sql, actor } = reader;
      const scope = { communityId: community.id, userId: actor.userId, after: undefined, state: undefined };
      const [{ items }, { tasks }] = await Promise.all([listMine(sql, scope), dashboardOf(reader, community.id)]);
      const titles = new Map(tasks.map(({ id, title }) => [id, title]));
      return items.slice(0, CLAIMS_SHOWN).map((claim) => {
        const title = titles.get(claim.taskId) ?? 'A task of before';
        return {
          id: `claim:${claim.id}`,
          kind: 'claim' as const,
          title,
          where: community.name,
          href: claimPage(community.slug, claim.taskId),
          text: lines(
            title,
            `${claim.state}, ${claim.points} points, sent ${claim.submittedAt}`,
            claim.decidedAt ? `Decided ${claim.decidedAt} by ${claim.decidedBy ?? 'the server'}` : 'Not decided yet',
            claim.reason && `Reason: ${claim.reason}`,
            claim.retryAt && `Another try from ${claim.retryAt}`,
          ),
        };
      });
    },
  },
  {
    name: 'my_standing',
    description: 'The member’s points, level, rank and streak, over all and in each community.',
    parameters: nothing,
    run: async ({ sql, actor, now, mine }) => {
      const profile = await sql.begin(SNAPSHOT, (snapshot) => readProfile(snapshot, actor, now));
      const { streak } = profile;
      const communities = mine.map(({ name, points, rank, todo, waiting }) => {
        const { level, into, needed } = levelOf(points);
        return `${name}: ${points} points, level ${level}, ${needed - into} points to level ${level + 1}, ${rank === null ? 'no rank' : `rank ${rank}`}, ${todo} tasks open, ${waiting} claims with reviewers`;
      });
      const days = streak.calendar.slice(-7).map(({ day, mark }) => `${day} ${mark}`);
      const text = lines(
        `${profile.points} points in all`,
        `Streak: ${streak.days} days, ${streak.countedToday ? 'today is counted' : 'today is not counted yet'}, ${streak.freezes} freezes held`,
        `Last days: ${days.join(', ')}`,
        ...communities,
      );
      return [{ id: 'standing', kind: 'standing', title: 'My standing', where: '', href: '/profile', text }];
    },
  },
];
const lines = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join('\n');
const CLAIMS_SHOWN = 20;
const QUERY_MAX = 200;
const NO_SUCH_COMMUNITY = 'The member belongs to no such community.';

/** Runs a model's call; the result is limited in bytes. Unknown tools and invalid arguments do nothing. */
export async function runTool(reader: Reader, name: string, written: string, space: number): Promise<string> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return 'There is no such tool.';
  const given = argumentsOf(written);
  const community = reader.mine.find(({ slug, id }) => slug === given['community'] || id === given['community']);
  const query = typeof given['query'] === 'string' ? given['query'].slice(0, QUERY_MAX) : '';
  const found = await tool.run(reader, { query, ...(community && { community }) });
  if (typeof found === 'string') return found;
  return found.length === 0 ? 'There are none.' : shownWithin(reader.read, found, space);
}

function argumentsOf(written: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(written || '{}');
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
