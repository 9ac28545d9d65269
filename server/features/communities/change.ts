import { isDeepStrictEqual } from 'node:util';
import type { TransactionSql } from 'postgres';
import type { CommunityChange } from '../../contract/communities.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { lockCommunity } from '../ledger/lock.ts';
import { qualifyByThreshold } from '../referral/referral.ts';
import { lookOf, requireOwnName } from './names.ts';
import { readSummary } from './rows.ts';

type CommunityScope = { communityId: string; userId: string; now: Date };

/** Changes a community's settings; absent fields stay, and unchanged ones are not audited. Throws 409 `NAME_TAKEN`. */
export async function changeCommunity(
  tx: TransactionSql,
  { communityId, userId, now }: CommunityScope,
  input: CommunityChange,
): Promise<CommunitySummary> {
  const wanted = {
    ...(input.name === undefined ? {} : { name: line('name', input.name) }),
    ...(input.description === undefined ? {} : { description: prose('description', input.description) }),
    ...(input.rules === undefined ? {} : { rules: prose('rules', input.rules) }),
    ...(input.tags === undefined ? {} : { tags: tagsOf(input.tags) }),
    ...(input.languages === undefined ? {} : { languages: [...new Set(input.languages)] }),
    ...(input.visibility === undefined ? {} : { visibility: input.visibility }),
    ...(input.embedding === undefined ? {} : { embedding: input.embedding }),
    ...(input.leagues === undefined ? {} : { leagues_since: input.leagues ? now : null }),
    ...(input.inviteThreshold === undefined ? {} : { invite_threshold: input.inviteThreshold }),
  };
  // The lock before the row, as for joining; points written in between meet one of the two thresholds.
  if (wanted.invite_threshold !== undefined) await lockCommunity(tx, communityId);
  const names = Object.keys(wanted);
  const [old] =
    names.length === 0
      ? []
      : await tx`
    select ${tx(names)} from communities where id = ${communityId} for no key update`;
  const columns = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) =>
      // Since when they are there stays.
      name === 'leagues_since' ? (value === null) !== (old?.[name] === null) : !isDeepStrictEqual(value, old?.[name]),
    ),
  );
  if (Object.keys(columns).length > 0) {
    await tx`update communities set ${tx(columns)} where id = ${communityId}`;
    if (wanted.name !== undefined && 'name' in columns) await storeLook(tx, communityId, wanted.name);
    if ('invite_threshold' in columns) await qualifyByThreshold(tx, now, communityId);
    await audit(tx, {
      communityId,
      actorId: userId,
      action: 'community.changed',
      subject: Object.keys(columns).sort().join(', '),
      subjectId: communityId,
      at: now,
    });
  }
  return readSummary(tx, communityId, userId);
}

async function storeLook(tx: TransactionSql, communityId: string, name: string): Promise<void> {
  await requireOwnName(tx, communityId, name);
  await tx`update communities set name_look = ${lookOf(name)} where id = ${communityId}`;
}

/** Tags as stored: lower case, unique. Throws 400 `INVALID_INPUT`. */
export const tagsOf = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => line('tags', tag).toLowerCase())),
];
