import type { Query, QueryClient } from '@tanstack/react-query';
import type { User } from '../../server/contract/user.ts';
import { forgetHints } from './hints.ts';
import { userQuery } from './query.ts';
import { purgePrivate } from './service-worker.ts';

const [USER] = userQuery.queryKey;
/** Answers of the server about anything but who is signed in. */
const isAnswer = ({ queryKey: [first] }: Query) =>
  typeof first === 'string' && first.startsWith('/api/') && first !== USER;

/** Answers kept on this device go first, so that what is on the screen cannot be read from them again. */
async function dropAnswers(client: QueryClient): Promise<void> {
  await purgePrivate();
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
  forgetHints();
  client.setQueryData(userQuery.queryKey, null);
  await dropAnswers(client);
}

/** Another tab has signed in or out. What this one shows is another member's, unless it knows already. */
export async function followOther(client: QueryClient, userId: string | null): Promise<void> {
  const shown = client.getQueryData<User | null>(userQuery.queryKey);
  // Still asking: the answer is the news itself.
  if (shown === undefined || (shown?.id ?? null) === userId) return;
  if (userId === null) return forgetMember(client);
  if (shown) forgetHints();
  void client.resetQueries({ predicate: isAnswer });
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/**
 * What is shown is always of the member that the server names. A read of the user that was on its way when another member
 * signed in brings that one before the news of it does, also in a tab that was shut out meanwhile. Call once a page.
 */
export function keepToMember(client: QueryClient): void {
  let owner: string | null = null;
  const look = () => {
    const id = client.getQueryData<User | null>(userQuery.queryKey)?.id ?? null;
    if (id === null || id === owner) return;
    const before = owner;
    owner = id;
    if (before !== null) void client.resetQueries({ predicate: isAnswer });
  };
  client.getQueryCache().subscribe(look);
  look();
}

/** The server refuses the member's reads: none of them is shown any longer, and the gate hears why. */
export async function askAgain(client: QueryClient): Promise<void> {
  if (!client.getQueryData(userQuery.queryKey)) return;
  void client.resetQueries({ predicate: isAnswer });
  await client.invalidateQueries({ queryKey: userQuery.queryKey });
}
