import type { Response } from 'express';
import type { Actor } from '../base/actor.ts';
import { HttpError } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import { STREAM_CHECK_MS, STREAMS_PER_PERSON, STREAMS_PER_PROCESS } from '../contract/limits.ts';
import type { Declaration } from '../contract/route.ts';
import { admitPerson } from './access.ts';
import type { Cookies } from './cookies.ts';
import { readSession } from './session.ts';

const RETRY_S = 30;
/** A listener who takes nothing any more is cut off after so long. */
const CUT_AFTER_MS = 1_000;

type Listener = {
  actor: Actor | null;
  cookies: Readonly<Cookies>;
  declaration: Pick<Declaration, 'access' | 'allowRevoked'>;
};

/** The streams that are open in this process. */
export type Streams = {
  /**
   * Takes a place for a stream until its response closes. The signal is aborted when whoever listens may not any more: their
   * session ended, their role went, or nobody could say. Throws 429 `TOO_MANY_STREAMS`.
   */
  open(res: Response, listener: Listener): AbortSignal;
};

/** `checkEveryMs` is another time than `STREAM_CHECK_MS` only in tests. */
export function createStreams(runtime: Runtime, checkEveryMs = STREAM_CHECK_MS): Streams {
  const { sql, config, now } = runtime;
  const counts = new Map<string, number>();
  let total = 0;
  const count = (key: string, change: 1 | -1) => {
    total += change;
    const left = (counts.get(key) ?? 0) + change;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };
  const mayStill = async ({ actor, cookies, declaration }: Listener): Promise<boolean> => {
    const present = await readSession(sql, config, cookies, now());
    if (present?.sessionId !== actor?.sessionId) return false;
    admitPerson(present, declaration, config.telegram.requiredChannel);
    return true;
  };
  return {
    open(res, listener) {
      const key = listener.actor?.userId ?? '';
      if (total >= STREAMS_PER_PROCESS || (counts.get(key) ?? 0) >= STREAMS_PER_PERSON)
        throw new HttpError(429, 'TOO_MANY_STREAMS', 'Too many live views are open. Close another one first.', {
          retryAfterSeconds: RETRY_S,
        });
      count(key, 1);
      const over = new AbortController();
      const check = setInterval(async () => {
        if (await mayStill(listener).catch(() => false)) return;
        over.abort();
        setTimeout(() => res.destroy(), CUT_AFTER_MS).unref();
      }, checkEveryMs).unref();
      res.once('close', () => {
        clearInterval(check);
        count(key, -1);
      });
      return over.signal;
    },
  };
}
