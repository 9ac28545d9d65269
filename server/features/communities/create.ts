import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import type { NewCommunity } from '../../contract/communities.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { COMMUNITIES_CREATED_PER_DAY } from '../../contract/limits.ts';
import { reservedNames } from '../../contract/pages.ts';
import { asciiSkeleton } from '../../domain/look-alikes.ts';
import { readSlug, type SlugProblem } from '../../domain/slug.ts';
import { line, prose } from '../../domain/text.ts';
import { tagsOf } from './change.ts';
import { lookOf, nameTaken } from './names.ts';
import { readSummary } from './rows.ts';

const DAY_MS = 86_400_000;

/**
 * Creates a community with its founder as leader. Must run in a transaction. Throws 422 `SLUG_INVALID`, 409
 * `SLUG_RESERVED`, 409 `SLUG_TAKEN` and `NAME_TAKEN` (also for look-alikes), 429 `COMMUNITY_LIMIT` (three in 24 hours).
 */
export async function createCommunity(
  sql: ISql,
  { userId, now, config }: { userId: string; now: Date; config: Pick<Config, 'productSlug' | 'newCommunitiesCount'> },
  input: NewCommunity,
): Promise<CommunitySummary> {
  const read = readSlug(input.slug, reservedNames(config.productSlug));
  if ('problem' in read) throw slugError(read.problem);
  const words = {
    name: line('name', input.name),
    description: prose('description', input.description),
    rules: prose('rules', input.rules ?? ''),
    tags: tagsOf(input.tags ?? []),
    languages: [...new Set(input.languages ?? [])],
  };
  await requireBelowLimit(sql, userId, now);
  const [made] = await sql<{ id: string }[]>`
    with made as (
      insert into communities (slug, slug_look, name_look, name, description, rules, tags, languages, visibility, counts_on_instance, created_by,
        created_at)
      values (${read.slug}, ${asciiSkeleton(read.slug)}, ${lookOf(words.name)}, ${words.name}, ${words.description}, ${words.rules}, ${words.tags}, ${words.languages},
        ${input.visibility ?? 'public'}, ${config.newCommunitiesCount}, ${userId}, ${now})
      on conflict do nothing returning id
    )
    insert into community_members (community_id, user_id, role, joined_at)
    select id, ${userId}, 'leader', ${now} from made returning community_id as id`;
  if (!made) throw await taken(sql, read.slug, words.name);
  return readSummary(sql, made.id, userId);
}

/** Why nothing was founded: another community has the address, one that looks like it, or such a name. */
async function taken(sql: ISql, slug: string, name: string): Promise<HttpError> {
  const [other] = await sql<{ slug: string }[]>`select slug from communities where slug_look = ${asciiSkeleton(slug)}`;
  if (!other) return nameTaken(name);
  return other.slug === slug
    ? new HttpError(409, 'SLUG_TAKEN', `The address ${slug} belongs to another community.`, { details: { slug } })
    : new HttpError(409, 'SLUG_TAKEN', `The address ${slug} looks like that of another community.`);
}

/** The founder's row is the lock: two requests at once cannot both be the third. */
async function requireBelowLimit(sql: ISql, userId: string, now: Date): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`;
  const since = new Date(now.getTime() - DAY_MS);
  const recent = await sql<{ at: Date }[]>`
    select created_at as at from communities where created_by = ${userId} and created_at > ${since}
    order by created_at desc limit ${COMMUNITIES_CREATED_PER_DAY}`;
  const oldest = recent[COMMUNITIES_CREATED_PER_DAY - 1];
  if (!oldest) return;
  throw new HttpError(429, 'COMMUNITY_LIMIT', `You can start ${COMMUNITIES_CREATED_PER_DAY} communities a day.`, {
    details: { limit: COMMUNITIES_CREATED_PER_DAY },
    retryAfterSeconds: Math.max(1, Math.ceil((oldest.at.getTime() + DAY_MS - now.getTime()) / 1_000)),
  });
}

function slugError(problem: SlugProblem): HttpError {
  return problem === 'SLUG_RESERVED'
    ? new HttpError(409, problem, 'This address is reserved, or looks too much like one that is.')
    : new HttpError(
        422,
        problem,
        'An address has small Latin letters, digits and single hyphens, and at least one letter.',
      );
}
