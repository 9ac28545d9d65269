import type { Response } from 'express';
import type { Sql } from 'postgres';
import type { Actor } from '../base/actor.ts';
import { HttpError } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import { SESSION_IDLE_MS, STREAM_CHECK_MS, STREAMS_PER_PERSON, STREAMS_PER_PROCESS } from '../contract/limits.ts';
import { LIVE_PER_PERSON, LIVE_PER_PROCESS } from '../contract/open-limits.ts';
import type { Declaration } from '../contract/route.ts';
import { zonesText } from '../storage/zone.ts';
import { admitPerson, admitRole, type FoundCommunity, OUT_OF, visibleTo } from './access.ts';
import type { CommunityRow } from './session.ts';

const RETRY_S = 30;
/** A listener who takes nothing any more is cut off after so long. */
const CUT_AFTER_MS = 1_000;

/** How soon those come back whose stream has ended, one after the other: as when their process hands over. */
const BACK_AFTER_MS = 500;
const BACK_SPREAD_MS = 4_000;
export const comeBack = (): string => `retry: ${Math.round(BACK_AFTER_MS + Math.random() * BACK_SPREAD_MS)}\n\n`;

type Listener = {
  actor: Actor | null;
  /** The stream's community and the actor's role there. */
  community: Pick<FoundCommunity, 'id' | 'role'> | undefined;
  declaration: Pick<Declaration, 'access' | 'allowRevoked' | 'live'>;
};
type Open = Listener & { cut: () => void };

/** The streams that are open in this process. */
export type Streams = {
  /**
   * Takes a slot for a stream until its response closes. The signal is aborted when the listener loses access: the
   * session ended, the role changed, or the check failed. Throws 429 `TOO_MANY_STREAMS`.
   */
  open(res: Response, listener: Listener): AbortSignal;
};

/** Places of one kind of stream: of each person, and of the process. */
function slotsOf(perPerson: number, perProcess: number) {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    isFull: (key: string) => total >= perProcess || (counts.get(key) ?? 0) >= perPerson,
    count(key: string, change: 1 | -1) {
      total += change;
      const left = (counts.get(key) ?? 0) + change;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    },
  };
}

/** `checkEveryMs` is another time than `STREAM_CHECK_MS` only in tests. */
export function createStreams(runtime: Runtime, checkEveryMs = STREAM_CHECK_MS): Streams {
  const { sql, config, now } = runtime;
  const tails = slotsOf(STREAMS_PER_PERSON, STREAMS_PER_PROCESS);
  const lives = slotsOf(LIVE_PER_PERSON, LIVE_PER_PROCESS);
  const all = new Set<Open>();
  let timer: ReturnType<typeof setInterval> | undefined;
  /** One query checks all open streams. */
  const check = async () => {
    const open = [...all];
    const present = await readPresent(sql, open, now()).catch(() => null);
    for (const one of open) if (!mayStill(one, present, config.telegram.requiredChannel)) one.cut();
  };
  return {
    open(res, listener) {
      const key = listener.actor?.userId ?? '';
      const slots = listener.declaration.live ? lives : tails;
      if (slots.isFull(key))
        throw new HttpError(429, 'TOO_MANY_STREAMS', 'Too many live views are open. Close another one first.', {
          retryAfterSeconds: RETRY_S,
        });
      const over = new AbortController();
      // It closed before it began, so no close event will come.
      if (res.destroyed) {
        over.abort();
        return over.signal;
      }
      slots.count(key, 1);
      const one: Open = {
        ...listener,
        cut: () => {
          over.abort();
          setTimeout(() => res.destroy(), CUT_AFTER_MS).unref();
        },
      };
      all.add(one);
      timer ??= setInterval(() => void check(), checkEveryMs).unref();
      res.once('close', () => {
        all.delete(one);
        slots.count(key, -1);
        if (all.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
      return over.signal;
    },
  };
}

type Present = Actor & { community: FoundCommunity | null };

/** The actors of open streams with their role in the stream's community. */
async function readPresent(sql: Sql, open: readonly Open[], now: Date): Promise<Map<string, Present>> {
  const sessions = open.flatMap(({ actor, community }) =>
    actor ? [[actor.sessionId, community?.id ?? null] as const] : [],
  );
  const rows = await sql.unsafe<(Actor & CommunityRow)[]>(
    `select s.id as "sessionId", s.kind as "sessionKind", s.telegram_at as "telegramAt",
      u.id as "userId", u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
      u.twitter_username as "twitterUsername", u.display_name as "displayName", u.is_verified as "isVerified",
      u.role, u.membership, u.suspended_at is not null as suspended, u.suspended_until as "suspendedUntil",
      u.suspended_reason as "suspendedReason", ${zonesText('$3')},
      c.id as "communityRowId", c.slug, c.visibility, c.status, c.suspended_until as "communityUntil",
      c.suspended_reason as "communityReason", m.role as "roleThere", ${OUT_OF}
    from unnest($1::uuid[], $2::uuid[]) as listening (session, community)
    join sessions s on s.id = listening.session and s.expires_at > $3::timestamptz and s.last_seen_at > $4::timestamptz
    join users u on u.id = s.user_id
    left join communities c on c.id = listening.community
    left join community_members m on m.community_id = c.id and m.user_id = u.id`,
    [
      sessions.map(([session]) => session),
      sessions.map(([, id]) => id),
      now,
      new Date(now.getTime() - SESSION_IDLE_MS),
    ],
    { prepare: true },
  );
  return new Map(
    rows.map(
      ({ communityRowId, slug, visibility, status, communityUntil, communityReason, roleThere, outOf, ...actor }) => {
        const suspension = { suspendedUntil: communityUntil, suspendedReason: communityReason, outOf: outOf ?? null };
        const listened =
          communityRowId === null
            ? null
            : { id: communityRowId, slug, visibility, status, role: roleThere, ...suspension };
        return [keyOf(actor.sessionId, communityRowId ?? undefined), { ...actor, community: listened }];
      },
    ),
  );
}

const keyOf = (sessionId: string, communityId: string | undefined): string => `${sessionId} ${communityId ?? ''}`;

/**
 * Checks like a new read of the same: an error ends the stream. A changed role ends it too, because it may see other
 * things.
 */
function mayStill(
  { actor, community, declaration }: Open,
  present: ReadonlyMap<string, Present> | null,
  requiredChannel: string | null,
): boolean {
  if (!actor) return declaration.access === 'public';
  const now = present?.get(keyOf(actor.sessionId, community?.id));
  if (!now || now.role !== actor.role) return false;
  try {
    admitPerson(now, declaration, requiredChannel);
    if (community === undefined) return true;
    admitRole(declaration.access, visibleTo(now, now.community));
    return now.community?.role === community.role;
  } catch {
    return false;
  }
}
