import { createHash, randomInt } from 'node:crypto';
import { HttpError } from '../../base/http-error.ts';
import { X_PROOF_CODE_MS } from '../../contract/limits.ts';
import { postIn } from '../../contract/x-post.ts';
import type { Handlers } from '../../http/handler.ts';
import { linkX } from '../people/x-identity.ts';
import { userOf } from './people.ts';
import { giveSession, rotateSession } from './session-cookies.ts';

/** No letters and digits that are mistaken for each other. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 10;
const newCode = (): string => Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');
/** The code is bound to this person, so a post made for someone else links nothing. */
const hashOf = (userId: string, code: string): Buffer => createHash('sha256').update(`${userId} ${code}`).digest();
const wordsLikeCodes = (text: string): string[] => text.match(/\b[A-Z2-9]{10}\b/g)?.slice(0, 50) ?? [];

const noCode = () =>
  new HttpError(
    400,
    'X_CODE_EXPIRED',
    'Your code is used up or ran out after 15 minutes. Take a new one and post that.',
  );

/** Linking by a post with a one-time code: X's public answer names its author (threat model, row C4). */
export const xProofHandlers = {
  async 'POST /api/auth/x/proof-codes'({ runtime, sql, actor }) {
    const code = newCode();
    const expiresAt = new Date(runtime.now().getTime() + X_PROOF_CODE_MS);
    await sql`
      insert into x_proof_codes (user_id, code_hash, expires_at)
      values (${actor.userId}, ${hashOf(actor.userId, code)}, ${expiresAt})
      on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`;
    return { json: { code, expiresAt: expiresAt.toISOString() } };
  },

  async 'POST /api/auth/x/proof'(call) {
    const { runtime, sql, actor, body } = call;
    const { userId, telegramAt } = actor;
    const [held] = await sql<{ hash: Buffer }[]>`
      select code_hash as hash from x_proof_codes where user_id = ${userId} and expires_at > ${runtime.now()}`;
    if (!held) throw noCode();
    const { handle = '', postId = '' } = postIn(body.url) ?? {};
    const post = await runtime.x.publicPost({ handle, postId });
    if (post === null)
      throw new HttpError(
        422,
        'X_POST_NOT_SHOWN',
        'X shows no such post publicly. It may be gone, or its account is private.',
        { details: { field: 'url' } },
      );
    if (!wordsLikeCodes(post.text).some((word) => hashOf(userId, word).equals(held.hash)))
      throw new HttpError(
        422,
        'X_CODE_MISSING',
        `Your code is not in this post by @${post.author}. Post it as it is.`,
        {
          details: { field: 'url', author: post.author },
        },
      );
    const now = runtime.now();
    const session = await sql.begin(async (tx) => {
      const [used] = await tx`
        delete from x_proof_codes
        where user_id = ${userId} and code_hash = ${held.hash} and expires_at > ${now} returning true as used`;
      if (!used) throw noCode();
      await linkX(tx, { userId, proven: { xUserId: null, username: post.author, by: 'post' }, telegramAt, now });
      return rotateSession(tx, call, now);
    });
    giveSession(call, actor.sessionKind, session);
    return { json: { user: { ...userOf(actor), twitterUsername: post.author, isVerified: true } } };
  },
} satisfies Handlers;
