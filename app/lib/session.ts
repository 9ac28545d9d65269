import type { Query, QueryClient } from '@tanstack/react-query';
import { rememberCommunity, rememberSignedIn } from './hints.ts';
import { userQuery } from './query.ts';
import { askServiceWorker } from './service-worker.ts';

const [USER] = userQuery.queryKey;
/** Answers of the server about anything but who is signed in. */
const isAnswer = ({ queryKey: [first] }: Query) =>
  typeof first === 'string' && first.startsWith('/api/') && first !== USER;

/** Answers kept on this device go first, so that what is on the screen cannot be read from them again. */
async function dropAnswers(client: QueryClient): Promise<void> {
  await askServiceWorker({ type: 'PURGE_PRIVATE' }).catch(() => undefined);
  // Reset rather than removed: a screen that shows one of them hears of it and reads it afresh.
  void client.resetQueries({ predicate: isAnswer });
}

/** Drops what this device keeps of the member and asks again who is signed in. What was not sent yet stays. */
export async function clearCachedData(client: QueryClient): Promise<void> {
  await dropAnswers(client);
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/** After a sign-out, here or in another tab: nobody is signed in and nothing of the member is shown any more. */
export async function forgetMember(client: QueryClient): Promise<void> {
  rememberSignedIn(false);
  rememberCommunity(null);
  client.setQueryData(userQuery.queryKey, null);
  await dropAnswers(client);
}
