import { randomBytes } from 'node:crypto';
import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isId } from '../../domain/ids.ts';
import { mayBeCalled } from '../../integrations/outward/post.ts';
import type { PartnerSetup } from '../../kinds/partner/shape.ts';
import { audit } from '../audit/audit.ts';

/** The setup with its address as stored. Throws 422 `URL_NOT_ALLOWED`. */
export function checkPartner(setup: PartnerSetup): PartnerSetup {
  const url = URL.canParse(setup.url) ? new URL(setup.url) : null;
  if (url === null || !mayBeCalled(url)) {
    throw new HttpError(422, 'URL_NOT_ALLOWED', 'A partner is an https address on the open internet, on port 443.', {
      details: { field: 'setup.url', needs: 'open_https' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
    });
  }
  return { ...setup, url: url.href };
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/** Makes the secret with which a task's requests are signed, unless it has one. Nobody has seen it yet. */
export async function makePartnerKey(
  sql: ISql,
  { communityId, taskId }: { communityId: string; taskId: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into partner_keys (community_id, task_id, secret, created_at)
    values (${communityId}, ${taskId}, ${Buffer.from(newSecret())}, ${now}) on conflict do nothing`;
}

/**
 * Renews a partner task's secret and returns it, once. Requests are signed with it from now on. Throws 404 `NOT_FOUND`
 * for anything but a partner task.
 */
export async function renewPartnerKey(
  tx: TransactionSql,
  { communityId, taskId, userId, now }: { communityId: string; taskId: string; userId: string; now: Date },
): Promise<{ secret: string }> {
  const [task] = isId(taskId)
    ? await tx<{ id: string; title: string }[]>`
        select id, title from tasks
        where id = ${taskId} and community_id = ${communityId} and kind = 'partner' for key share`
    : [];
  if (!task) throw notFound('task');
  const secret = newSecret();
  await tx`
    insert into partner_keys as k (community_id, task_id, secret, created_at)
    values (${communityId}, ${task.id}, ${Buffer.from(secret)}, ${now})
    on conflict (task_id, community_id) do update set secret = excluded.secret, created_at = excluded.created_at`;
  const done = { communityId, actorId: userId, action: 'task.secret_made', at: now };
  await audit(tx, { ...done, subject: task.title, subjectId: task.id });
  return { secret };
}
