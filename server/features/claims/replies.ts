import type { ISql, TransactionSql } from 'postgres';
import type { SavedReplies } from '../../contract/review.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';

/** A community's saved replies; null where there are none yet. */
export async function readReplies(sql: ISql, communityId: string): Promise<SavedReplies | null> {
  const [row] = await sql<SavedReplies[]>`
    select reject, request_changes from saved_replies where community_id = ${communityId}`;
  return row ?? null;
}

/** Replaces the saved replies. */
export async function writeReplies(
  tx: TransactionSql,
  { communityId, actorId, now }: { communityId: string; actorId: string; now: Date },
  input: SavedReplies,
): Promise<SavedReplies> {
  const reject = input.reject.map((text) => prose('reject', text));
  const request_changes = input.request_changes.map((text) => prose('request_changes', text));
  await tx`
    insert into saved_replies (community_id, reject, request_changes, changed_at)
    values (${communityId}, ${reject}, ${request_changes}, ${now})
    on conflict (community_id) do update
      set reject = excluded.reject, request_changes = excluded.request_changes, changed_at = excluded.changed_at`;
  await audit(tx, { communityId, actorId, action: 'replies.changed', at: now });
  return { reject, request_changes };
}
