import * as z from 'zod/mini';
import { Done } from './fields.ts';
import { type Declaration, type RouteKey, read, route } from './route.ts';

/** A day of the UTC calendar, `YYYY-MM-DD`. */
const day = z.string();
const isoDay = z.iso.date();

/** Days that end with yesterday, in UTC; the presets of the screen. */
export const AnalyticsSpan = z.enum(['7', '30', '90', '365']);
/**
 * What is looked at. `from` and `to` (both included) go before `days`; without either it is 30 days. `community` is an id or a
 * name in addresses; left out: all communities together, people counted once.
 */
const looked = {
  community: z.optional(z.string().check(z.maxLength(100))),
  days: z.optional(AnalyticsSpan),
  from: z.optional(isoDay),
  to: z.optional(isoDay),
};
export const AnalyticsQuery = z.object(looked);
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

const range = z.object({ from: day, to: day });
/** In every answer: the days, and when their last part was counted; null before the first count. */
const dated = { range, countedAt: z.nullable(z.string()) };

const counts = z.array(z.object({ starts: day, people: z.number() }));
export const PeopleFigures = z.object({
  ...dated,
  /** Days of the range that are not counted yet. */
  uncounted: z.number(),
  /** Members who sent an answer: on the last day, in the last 7 and in the last 30 days of the range. */
  active: z.object({ day: z.number(), week: z.number(), month: z.number() }),
  /** The same for each day, calendar week and calendar month that the range touches, the oldest first. */
  days: counts,
  weeks: counts,
  months: counts,
});
export type PeopleFigures = z.infer<typeof PeopleFigures>;

/** `back` counts the people among `due`, whose day has passed, who sent an answer on it. */
const returned = z.object({ due: z.number(), back: z.number() });
export const RetentionFigures = z.object({
  ...dated,
  /** People by the fortnight they came in, the oldest first. */
  cohorts: z.array(z.object({ from: day, people: z.number(), day1: returned, day7: returned, day30: returned })),
});
export type RetentionFigures = z.infer<typeof RetentionFigures>;

export const FunnelStep = z.enum([
  'landing',
  'telegram',
  'x',
  'verified',
  'joined',
  'first_answer',
  'first_approved',
  'day7',
]);
export type FunnelStep = z.infer<typeof FunnelStep>;
export const FunnelFigures = z.object({
  ...dated,
  /** People who joined in these days, and how far they have got: how many reached each step. */
  steps: z.array(z.object({ step: FunnelStep, count: z.number() })),
});
export type FunnelFigures = z.infer<typeof FunnelFigures>;

const wait = z.object({ p50: z.nullable(z.number()), p95: z.nullable(z.number()) });
const bucket = z.object({ fromMinutes: z.number(), toMinutes: z.nullable(z.number()), count: z.number() });
export const ReviewFigures = z.object({
  ...dated,
  decisions: z.number(),
  /** Minutes from an answer, or an appeal, to the reviewer's decision. */
  minutes: wait,
  buckets: z.array(bucket),
  /** At this moment. */
  waiting: z.object({ count: z.number(), oldestAt: z.nullable(z.string()) }),
});
export type ReviewFigures = z.infer<typeof ReviewFigures>;

export const PushFigures = z.object({
  ...dated,
  days: z.array(
    z.object({
      day,
      sent: z.number(),
      gone: z.number(),
      failed: z.number(),
      shown: z.number(),
      opened: z.number(),
    }),
  ),
});
export type PushFigures = z.infer<typeof PushFigures>;

export const InstallFigures = z.object({
  ...dated,
  /** Installs that browsers reported. */
  days: z.array(z.object({ day, installs: z.number() })),
  /** Devices that sent a log in these days, by how they showed the app. */
  devices: z.array(z.object({ display: z.string(), count: z.number() })),
});
export type InstallFigures = z.infer<typeof InstallFigures>;

export const OfflineFigures = z.object({
  ...dated,
  /** Answers by the day of their arrival; `late` ones arrived more than a minute after they were made. */
  days: z.array(z.object({ day, made: z.number(), late: z.number() })),
  /** Minutes from the device to the server, of late ones. */
  minutes: wait,
});
export type OfflineFigures = z.infer<typeof OfflineFigures>;

export const TaskFigures = z.object({
  ...dated,
  /** Tasks with anything in these days, the most answered first. */
  tasks: z.array(
    z.object({
      taskId: z.string(),
      title: z.string(),
      community: z.string(),
      made: z.number(),
      approved: z.number(),
      refused: z.number(),
    }),
  ),
  /** How many tasks there are beyond these. */
  more: z.number(),
});
export type TaskFigures = z.infer<typeof TaskFigures>;

export const AnalyticsTable = z.enum([
  'people',
  'retention',
  'funnel',
  'reviews',
  'push',
  'installs',
  'offline',
  'tasks',
]);
export type AnalyticsTable = z.infer<typeof AnalyticsTable>;

/** Counts without persons: a device may cache them for use offline. */
const widget = <O extends z.ZodMiniType>(summary: string, output: O) =>
  read('ops', summary, { query: AnalyticsQuery, output, perMinute: 120 });

export const analyticsRoutes = {
  'GET /api/admin/analytics/communities': read('ops', 'Communities to look at, the largest first', {
    output: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
    perMinute: 120,
  }),
  'GET /api/admin/analytics/people': widget('Who was active, by day, week and month', PeopleFigures),
  'GET /api/admin/analytics/retention': widget(
    'Who came back 1, 7 and 30 days after they came, by fortnight',
    RetentionFigures,
  ),
  'GET /api/admin/analytics/funnel': widget('How far people got from the first page to day 7', FunnelFigures),
  'GET /api/admin/analytics/reviews': widget('How long answers waited for a decision', ReviewFigures),
  'GET /api/admin/analytics/push': widget('Notifications delivered, shown and opened, by day', PushFigures),
  'GET /api/admin/analytics/installs': widget(
    'Installs that browsers told of, and how devices show the app',
    InstallFigures,
  ),
  'GET /api/admin/analytics/offline': widget(
    'Answers made without a connection, and how late they arrived',
    OfflineFigures,
  ),
  'GET /api/admin/analytics/tasks': widget('Tasks by answers, approvals and rejections', TaskFigures),
  'GET /api/admin/analytics/export': route('ops', 'One of these tables as CSV', {
    query: z.object({ ...looked, table: AnalyticsTable }),
    fileTypes: ['text/csv'],
    cache: 'no-store',
    perMinute: 30,
  }),
  'POST /api/pwa/installs': route(
    'public',
    'A browser says that the app was installed; the day is counted and nothing else kept',
    { output: Done, status: 202, cache: 'no-store', perMinute: 6, allowRevoked: true },
  ),
} as const satisfies Record<RouteKey, Declaration>;
