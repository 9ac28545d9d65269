/** What the audit of the instance says of an act at the command line: whoever may start it has the machine. */
export const BY_HAND = {
  communityId: null,
  actorId: null,
  via: 'cli',
  reason: 'From the command line',
} as const;
