import type { User } from '../contract/user.ts';

type Account = Pick<User, 'telegramUsername' | 'twitterUsername' | 'isVerified'>;

/**
 * Whether an account has all three parts (specification, section 2). They open the member pages: the instance's
 * leaderboard, the profile and the assistant.
 */
export const isComplete = ({ telegramUsername, twitterUsername, isVerified }: Account): boolean =>
  Boolean(telegramUsername && twitterUsername && isVerified);

/**
 * Whether a person may join a community, enter its chats, create one or use the assistant: by the verified flag alone
 * (specification, section 6). Communities that they joined already stay open.
 */
export const mayJoin = ({ isVerified }: Pick<Account, 'isVerified'>): boolean => isVerified;
