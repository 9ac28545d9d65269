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
  /** Until when and why, where the decision says so. */
  suspendedUntil?: Date | null;
  suspendedReason?: string | null;
  /** The zone by which their days count now. */
  timeZone: string;
  /** The zone before it and when the current one began; null where there was none. */
  zoneBefore: string | null;
  zoneFrom: Date | null;
  sessionId: string;
  sessionKind: 'web' | 'mini_app';
  /** When this session proved itself to Telegram; linking X again needs a fresh one. */
  telegramAt: Date;
};
