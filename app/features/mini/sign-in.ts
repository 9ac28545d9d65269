/** Signs in inside Telegram, without a tap. */
import type { QueryClient } from '@tanstack/react-query';
import { READ_FALLBACK_AFTER_MS } from '../../../server/contract/limits.ts';
import { local } from '../../lib/browser.ts';
import { lastMember } from '../../lib/hints.ts';
import { call, HttpError, isNetworkFailure } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import type { Launch } from './launch.ts';

/**
 * `in`: signed in, or offline and signed in last time (`isOwed`: the server must still be asked). `closed`: only
 * reopening the Mini App gives new sign-in data. `cookies`: this browser blocks them in frames. `offline`: no earlier
 * member here. `refused`: by the server.
 */
type SignedIn =
  | { kind: 'in'; isOwed?: boolean }
  | { kind: 'closed' | 'cookies' | 'offline' }
  | { kind: 'refused'; message: string };

/** Telegram user id of the last member signed in here. */
const WHO = 'muster-mini-who';

export async function signIn(client: QueryClient, { initData, telegramUserId }: Launch): Promise<SignedIn> {
  if (initData === null) return { kind: 'in' };
  try {
    const body = { initData };
    const user = await call('POST /api/auth/telegram/mini-app', {
      body,
      signal: AbortSignal.timeout(SIGN_IN_WITHIN_MS),
    });
    const signedIn = await client.fetchQuery({ ...userQuery, staleTime: 0 });
    if (signedIn?.id !== user.id) return { kind: 'cookies' };
    local.set(WHO, user.telegramUserId);
    return { kind: 'in' };
  } catch (error) {
    if (isNetworkFailure(error) || (error as Error).name === 'TimeoutError') {
      // The device's copies belong to the last member and are shown to nobody else.
      const isSame = lastMember() !== null && local.get(WHO) === telegramUserId;
      return isSame ? { kind: 'in', isOwed: true } : { kind: 'offline' };
    }
    return after(client, error, telegramUserId);
  }
}
/** Some networks never answer. */
const SIGN_IN_WITHIN_MS = 3 * READ_FALLBACK_AFTER_MS;

/** Used or expired data does not matter if its person is signed in already. */
async function after(client: QueryClient, error: unknown, telegramUserId: string | null): Promise<SignedIn> {
  const reason = error instanceof HttpError ? error.reason : '';
  if (reason !== 'INIT_DATA_USED' && reason !== 'INIT_DATA_REFUSED')
    return { kind: 'refused', message: error instanceof HttpError ? serverWords(error) : '' };
  const signedIn = await client.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => null);
  return { kind: signedIn && signedIn.telegramUserId === telegramUserId ? 'in' : 'closed' };
}
