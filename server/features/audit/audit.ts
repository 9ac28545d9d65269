import type { TransactionSql } from 'postgres';

export type AuditEvent = {
  /** Null: of the instance. */
  communityId: string | null;
  /** Null: the server itself, or as `via` says. */
  actorId: string | null;
  /** How it came about without a person who was signed in: at the command line, or by the configuration. */
  via?: 'cli' | 'config';
  /** `<thing>.<done>`: `task.published`, `member.removed`, `season.started`. */
  action: string;
  /** Name of who or what it was done to, as it is now, and its id. */
  subject?: string | null;
  subjectId?: string | null;
  reason?: string | null;
  at: Date;
};

/** Writes down who did what, in the transaction that did it. Never holds a secret or a member's answer. Nothing changes it afterwards. */
export async function audit(tx: TransactionSql, event: AuditEvent): Promise<void> {
  await tx`
    insert into audit_entries (community_id, actor_id, action, subject, subject_id, reason, at, via)
    values (${event.communityId}, ${event.actorId}, ${event.action}, ${event.subject ?? null},
      ${event.subjectId ?? null}, ${event.reason ?? null}, ${event.at}, ${event.via ?? null})`;
}
