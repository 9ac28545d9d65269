import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskKind } from '../../server/contract/tasks.ts';
import { isXKind } from '../../server/contract/x-post.ts';
import { storeFile } from '../../server/features/images/files.ts';
import { readEventKey } from '../../server/features/tasks/event-keys.ts';
import { makeCode, readSigner } from '../../server/rules/event-code.ts';
import type { StagedCommunity } from './engagement.ts';
import { EVERY_KIND, GROUP } from './kind-samples.ts';
import { NOON } from './task-stage.ts';

/** Points of such a task: X forbids them for what is done there. */
export const pointsFor = (kind: TaskKind): number => (isXKind(kind) ? 0 : 5);

/** The community's group, which `telegram_*` and the import ask for. */
export const connectGroup = (sql: Sql, place: StagedCommunity) => sql`
  insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
  values (${place.id}, 'group', ${GROUP}, 'Ridge', ${NOON}, ${NOON})`;

/** What has to stand beside a member's claim of the kind, and what is sent for it. */
export async function prepare(
  sql: Sql,
  about: { place: StagedCommunity; kind: TaskKind; taskId: string; userId: string },
): Promise<Evidence | undefined> {
  const { place, kind, taskId, userId } = about;
  const by = { communityId: place.id, userId, now: NOON };
  const id = randomUUID();
  switch (kind) {
    case 'submit_image':
      await sql`
        insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
        values (${id}, ${place.id}, ${userId}, 'image/webp', 1, 1, ${Buffer.from(id)}, 'x')`;
      return { kind, imageId: id, note: 'By the ford' };
    case 'file':
      await storeFile(sql, { ...by, fileId: id }, { type: 'text/plain', bytes: Buffer.from(`Track ${id}`) });
      return { kind, fileId: id, name: 'Track.txt' };
    case 'invite':
      await sql`
        insert into referrals (community_id, invitee_id, inviter_id, qualified_at)
        values (${place.id}, ${place.moderator}, ${userId}, ${NOON})`;
      return undefined;
    case 'telegram_event': {
      const key = await readEventKey(sql, { communityId: place.id, taskId, now: NOON });
      const { qr } = await makeCode(await readSigner(key.privateKey), taskId, NOON.getTime());
      return { kind, code: qr };
    }
    case 'telegram_join':
      await sql`
        insert into chat_members (connection_id, user_id, state, checked_at, source)
        select id, ${userId}, 'member', ${NOON}, 'update' from community_chats where community_id = ${place.id}`;
      return { kind };
    case 'telegram_chat':
    case 'telegram_reaction':
      await sql`
        insert into chat_activity (community_id, task_id, user_id, period, count, first_at, last_at)
        values (${place.id}, ${taskId}, ${userId}, 'once', 2, ${NOON}, ${NOON})`;
      return { kind };
    default:
      return EVERY_KIND[kind].evidence;
  }
}
