/** What a community's webhooks tell of, in the order of the leader's form; docs/integrations.md says when and with what. */
export const WEBHOOK_EVENTS = [
  'claim.submitted',
  'claim.decided',
  'claim.reversed',
  'points.changed',
  'member.joined',
  'member.left',
  'season.started',
  'season.frozen',
  'reward.drawn',
  'announcement.posted',
] as const;
