/** Actor of audit entries made at the command line: a person who can start it controls the machine. */
export const BY_HAND = {
  communityId: null,
  actorId: null,
  via: 'cli',
  reason: 'From the command line',
} as const;
