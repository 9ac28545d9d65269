/** The signed-in person behind a request, as the session middleware read them from the database. */
export type Actor = {
  userId: string;
  telegramUserId: string;
  telegramUsername: string | null;
  twitterUsername: string | null;
  displayName: string;
  isVerified: boolean;
  role: 'member' | 'ops' | 'admin';
  membership: 'member' | 'left' | 'kicked' | 'restricted' | 'unknown';
  suspended: boolean;
  timeZone: string;
  sessionId: string;
  sessionKind: 'web' | 'mini_app';
  /** When this session proved itself to Telegram; linking X again needs a fresh one. */
  telegramAt: Date;
};
