import type { User } from './user.ts';

type Account = Pick<User, 'telegramUsername' | 'twitterUsername' | 'isVerified'>;

/**
 * Whether an account has all three parts (specification, section 2). Then the pages of a member are open: the instance's
 * leaderboard, the profile and the assistant.
 */
export const isComplete = ({ telegramUsername, twitterUsername, isVerified }: Account): boolean =>
  Boolean(telegramUsername && twitterUsername && isVerified);

/**
 * Whether somebody may join a community, be let into its chats, set one up or ask the assistant: by the verified flag alone
 * (specification, section 6). What they have joined already stays open to them whatever their account lacks.
 */
export const mayJoin = ({ isVerified }: Pick<Account, 'isVerified'>): boolean => isVerified;
