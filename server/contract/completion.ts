import type { User } from './user.ts';

type Account = Pick<User, 'telegramUsername' | 'twitterUsername' | 'isVerified'>;
export type Missing = 'telegram' | 'x' | 'verified';

/** What an account lacks; specification, section 2. */
export function missingOf({ telegramUsername, twitterUsername, isVerified }: Account): readonly Missing[] {
  return (['telegram', 'x', 'verified'] as const).filter(
    (part) => !{ telegram: telegramUsername, x: twitterUsername, verified: isVerified }[part],
  );
}

/** Whether the pages of a member are open: the instance's leaderboard, the profile and the assistant; specification, section 2. */
export const isComplete = (account: Account): boolean => missingOf(account).length === 0;

/**
 * Whether somebody may join a community, be let into its chats, set one up or ask the assistant: by the verified flag alone
 * (specification, section 6). What they have joined already stays open to them whatever their account lacks.
 */
export const mayJoin = ({ isVerified }: Pick<Account, 'isVerified'>): boolean => isVerified;
