import type { Sql } from 'postgres';
import { SIGN_IN_ATTEMPT_MS } from '../../contract/limits.ts';
import { hashOf, isSecret, newSecret } from './secrets.ts';

export type AttemptKind = 'telegram' | 'x';
export type Attempt = { codeVerifier: string; next: string };

/**
 * Notes that a sign-in or a linking began. `holder` is what only the beginner has: the browser's nonce, or the
 * session's id. Answers the state and PKCE verifier to send out. The sweep deletes what ran out.
 */
export async function beginAttempt(
  sql: Sql,
  input: { kind: AttemptKind; holder: string; userId: string | null; next: string; now: Date },
): Promise<{ state: string; codeVerifier: string }> {
  const state = newSecret();
  const codeVerifier = newSecret();
  const expiresAt = new Date(input.now.getTime() + SIGN_IN_ATTEMPT_MS);
  await sql`
    insert into sign_in_attempts (state_hash, kind, browser_hash, user_id, code_verifier, next_path, expires_at)
    values (${hashOf(state)}, ${input.kind}, ${hashOf(input.holder)}, ${input.userId}, ${codeVerifier}, ${input.next}, ${expiresAt})`;
  return { state, codeVerifier };
}

/**
 * Takes an attempt, once across all processes: its row is deleted by the statement that finds it. Null for a state that
 * is unknown, used, too old, or of another browser, session or person; then nothing is consumed.
 */
export async function takeAttempt(
  sql: Sql,
  input: { kind: AttemptKind; state: string | undefined; holder: string | undefined; userId: string | null; now: Date },
): Promise<Attempt | null> {
  if (!isSecret(input.state) || input.holder === undefined) return null;
  const [row] = await sql<Attempt[]>`
    delete from sign_in_attempts
    where state_hash = ${hashOf(input.state)} and kind = ${input.kind} and browser_hash = ${hashOf(input.holder)}
      and user_id is not distinct from ${input.userId}::uuid and expires_at > ${input.now}
    returning code_verifier as "codeVerifier", next_path as next`;
  return row ?? null;
}
