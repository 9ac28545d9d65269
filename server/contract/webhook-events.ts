const CLAIM = '`claim`';

/**
 * What a community's webhooks tell of, in the order of the leader's form: when it happens, and what its `data` holds.
 * `GET /api/openapi.json` lists them under `webhooks`.
 */
export const WEBHOOK_EVENTS = {
  'claim.submitted': ['A claim was received', CLAIM],
  'claim.decided': ['It was approved, rejected or sent back, by a check or a reviewer', CLAIM],
  'claim.reversed': ['An approved claim was taken back, with its points', CLAIM],
  'points.changed': ['A leader gave or took points by hand', '`userId`, `points`, `reason`'],
  'member.joined': ['Someone became a member', '`userId`'],
  'member.left': ['A member left, was erased, or was removed (`removed: true`)', '`userId`, `removed`'],
  'season.started': ['A season went live', '`season`, as the API shows it'],
  'season.frozen': ['Its results are final', '`season`'],
  'reward.drawn': ['A reward’s winners were drawn', '`reward`: `id`, `name`, `seasonId`, the number of `winners`'],
  'announcement.posted': ['An announcement was posted', '`id`, `title`, `body`, `by`, `at`, `pinnedUntil`'],
} as const;
export const webhookEvents = Object.keys(WEBHOOK_EVENTS) as (keyof typeof WEBHOOK_EVENTS)[];
