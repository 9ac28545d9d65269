import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { createRuntime, type Runtime } from './base/runtime.ts';
import { build } from './build/build-name.ts';
import type { Config } from './config.ts';
import { LIVE_BROADCAST_EVERY_MS } from './contract/open-limits.ts';
import { activityHandlers } from './features/activity/routes.ts';
import { storeHealth } from './features/admin/health.ts';
import { adminHandlers } from './features/admin/routes.ts';
import { compareCounts, countQueued } from './features/analytics/counts.ts';
import { instanceAnalyticsHandlers } from './features/analytics/instance-routes.ts';
import { countPushes } from './features/analytics/pushes.ts';
import { analyticsHandlers } from './features/analytics/routes.ts';
import { announcementHandlers } from './features/announcements/routes.ts';
import { apiKeyHandlers } from './features/api-keys/routes.ts';
import { applicationHandlers } from './features/applications/routes.ts';
import { assistantHandlers } from './features/assistant/routes.ts';
import { auditHandlers } from './features/audit/routes.ts';
import { recheckMembers } from './features/auth/membership.ts';
import { authHandlers } from './features/auth/routes.ts';
import { awardHandlers } from './features/awards/routes.ts';
import { backUpDaily, copyErasures } from './features/backups/run.ts';
import { sweepCounts } from './features/boards/counts.ts';
import { boardHandlers } from './features/boards/routes.ts';
import { claimCheckIns } from './features/bot/check-in.ts';
import { pollTelegram } from './features/bot/polling.ts';
import { botHandlers } from './features/bot/routes.ts';
import { sendBotMessages } from './features/bot/send.ts';
import { registerCommands, registerWebhook } from './features/bot/webhook.ts';
import { forgetActivity } from './features/chats/activity.ts';
import { sweepLinks } from './features/chats/connect.ts';
import { chatHandlers } from './features/chats/routes.ts';
import { sweepChats } from './features/chats/sweep.ts';
import { runPartnerChecks } from './features/claims/partner-checks.ts';
import { claimHandlers } from './features/claims/routes.ts';
import { runXChecks } from './features/claims/x-checks.ts';
import { opsLogHandlers } from './features/client-logs/ops-routes.ts';
import { clientLogHandlers } from './features/client-logs/routes.ts';
import { communityHandlers } from './features/communities/routes.ts';
import { communityPageHandlers } from './features/community-pages/routes.ts';
import { endCommunitySuspensions } from './features/desk/change.ts';
import { deskHandlers } from './features/desk/routes.ts';
import { embedHandlers } from './features/embeds/routes.ts';
import { exportHandlers } from './features/exports/routes.ts';
import { healthHandlers } from './features/health/routes.ts';
import { sweepImages } from './features/images/images.ts';
import { imageHandlers } from './features/images/routes.ts';
import { importHandlers } from './features/imports/routes.ts';
import { forgetImported, settleImports } from './features/imports/settle.ts';
import { inviteHandlers } from './features/invites/routes.ts';
import { leagueHandlers } from './features/leagues/routes.ts';
import { advanceLeagues } from './features/leagues/weeks.ts';
import { checkLedger } from './features/ledger/drift.ts';
import { countForInstance } from './features/ledger/instance.ts';
import { ledgerHandlers } from './features/ledger/routes.ts';
import { liveHandlers } from './features/live/routes.ts';
import { broadcastChanges, sweepChanges } from './features/live/tell.ts';
import { memberHandlers } from './features/members/routes.ts';
import { fanOut, sweepNotifications } from './features/notifications/fan-out.ts';
import { notificationHandlers } from './features/notifications/routes.ts';
import { remindStreaks } from './features/notifications/streaks.ts';
import { offerHandlers } from './features/offers/routes.ts';
import { forgetRequests } from './features/partnerships/requests.ts';
import { partnershipHandlers } from './features/partnerships/routes.ts';
import { endSuspensions } from './features/people/change.ts';
import { peopleHandlers } from './features/people/routes.ts';
import { eraseDue } from './features/person/erase.ts';
import { personHandlers } from './features/person/routes.ts';
import { previewHandlers } from './features/previews/routes.ts';
import { priceHandlers } from './features/prices/routes.ts';
import { profileHandlers } from './features/profile/routes.ts';
import { quizHandlers } from './features/quiz/routes.ts';
import { rewardHandlers } from './features/rewards/routes.ts';
import { closeSeasons } from './features/seasons/close.ts';
import { seasonHandlers } from './features/seasons/routes.ts';
import { taskHandlers } from './features/tasks/routes.ts';
import { deliverWebhooks } from './features/webhooks/deliver.ts';
import { webhookHandlers } from './features/webhooks/routes.ts';
import { writingHandlers } from './features/writing/routes.ts';
import { xHandlers } from './features/x/routes.ts';
import { syncPoints } from './features/x/switch.ts';
import { revokeTokens } from './features/x/tokens.ts';
import { xPostHandlers } from './features/x-posts/routes.ts';
import { writeVisits } from './http/visits.ts';
import { createPrices } from './integrations/prices/client.ts';
import { createPushSending } from './integrations/push/pool.ts';
import { createTelegram } from './integrations/telegram/client.ts';
import { createX } from './integrations/x/client.ts';
import type { Job } from './jobs.ts';
import { serving } from './storage/connect.ts';
import { openStorage, type Storage } from './storage/open.ts';
import { alertsSecret, storedSecrets } from './storage/secrets.ts';
import { bringUp } from './storage/upgrade.ts';
import { sweep } from './sweep.ts';

/** Every feature of the product. */
export const handlers = [
  healthHandlers,
  authHandlers,
  botHandlers,
  communityHandlers,
  communityPageHandlers,
  chatHandlers,
  claimHandlers,
  boardHandlers,
  activityHandlers,
  leagueHandlers,
  priceHandlers,
  xPostHandlers,
  xHandlers,
  profileHandlers,
  analyticsHandlers,
  instanceAnalyticsHandlers,
  announcementHandlers,
  apiKeyHandlers,
  applicationHandlers,
  assistantHandlers,
  writingHandlers,
  auditHandlers,
  embedHandlers,
  exportHandlers,
  imageHandlers,
  ledgerHandlers,
  liveHandlers,
  awardHandlers,
  memberHandlers,
  importHandlers,
  offerHandlers,
  inviteHandlers,
  previewHandlers,
  quizHandlers,
  rewardHandlers,
  seasonHandlers,
  taskHandlers,
  webhookHandlers,
  notificationHandlers,
  clientLogHandlers,
  opsLogHandlers,
  adminHandlers,
  peopleHandlers,
  personHandlers,
  deskHandlers,
  partnershipHandlers,
];

/** Everything that the server does without a request. */
export const jobs: readonly Job[] = [
  { name: 'seasons', everyMs: 10_000, run: closeSeasons },
  { name: 'leagues', everyMs: 60_000, heavy: true, run: (runtime, stopping) => advanceLeagues(runtime, stopping) },
  { name: 'instance-boards', everyMs: 500, run: countForInstance },
  { name: 'board-counts', everyMs: 60 * 60_000, heavy: true, run: sweepCounts },
  { name: 'ledger', everyMs: 60 * 60_000, heavy: true, run: checkLedger },
  { name: 'webhooks', everyMs: 5_000, run: (runtime, stopping) => deliverWebhooks(runtime, stopping) },
  { name: 'partners', everyMs: 2_000, run: (runtime, stopping) => runPartnerChecks(runtime, stopping) },
  { name: 'x-checks', everyMs: 2_000, run: (runtime, stopping) => runXChecks(runtime, stopping) },
  { name: 'x-revocations', everyMs: 30_000, run: revokeTokens },
  { name: 'x-points', everyMs: 60 * 60_000, heavy: true, run: syncPoints },
  { name: 'notifications', everyMs: 1_000, run: fanOut },
  { name: 'bot-messages', everyMs: 1_000, run: sendBotMessages },
  { name: 'bot-check-ins', everyMs: 1_000, run: claimCheckIns },
  { name: 'streaks', everyMs: 10 * 60_000, heavy: true, run: remindStreaks },
  { name: 'notifications-log', everyMs: 60 * 60_000, heavy: true, run: sweepNotifications },
  { name: 'telegram-webhook', everyMs: 5 * 60_000, run: registerWebhook },
  { name: 'telegram-updates', everyMs: 1_000, run: (runtime, stopping) => pollTelegram(runtime, stopping) },
  { name: 'telegram-commands', everyMs: 60_000, run: registerCommands },
  { name: 'memberships', everyMs: 5 * 60_000, run: recheckMembers },
  { name: 'suspensions', everyMs: 5_000, run: ({ sql, now }) => endSuspensions(sql, now()) },
  { name: 'erasures', everyMs: 60_000, run: eraseDue },
  { name: 'community-suspensions', everyMs: 5_000, run: ({ sql, now }) => endCommunitySuspensions(sql, now()) },
  { name: 'partnerships', everyMs: 60 * 60_000, run: ({ sql, now }) => forgetRequests(sql, now()) },
  { name: 'changes', everyMs: LIVE_BROADCAST_EVERY_MS, run: broadcastChanges },
  { name: 'changes-swept', everyMs: 5 * 60_000, heavy: true, run: sweepChanges },
  { name: 'imports', everyMs: 1_000, run: settleImports },
  { name: 'imports-forgotten', everyMs: 60 * 60_000, heavy: true, run: forgetImported },
  {
    name: 'chat-members',
    everyMs: 60_000,
    run: async (runtime, stopping) => void (await sweepChats(runtime, stopping)),
  },
  { name: 'chat-links', everyMs: 10 * 60_000, run: sweepLinks },
  { name: 'chat-activity', everyMs: 60 * 60_000, heavy: true, run: forgetActivity },
  { name: 'sweep', everyMs: 10 * 60_000, heavy: true, run: sweep },
  { name: 'visits', everyMs: 10_000, run: writeVisits },
  { name: 'counts', everyMs: 1_000, run: countQueued },
  {
    name: 'counts-compared',
    everyMs: 60 * 60_000,
    heavy: true,
    run: (runtime, stopping) => compareCounts(runtime, stopping),
  },
  { name: 'analytics-push', everyMs: 10 * 60_000, heavy: true, run: countPushes },
  { name: 'health', everyMs: 60_000, run: storeHealth },
  { name: 'backups', everyMs: 60_000, heavy: true, run: backUpDaily },
  { name: 'erasures-copied', everyMs: 10_000, run: copyErasures },
  { name: 'images', everyMs: 60 * 60_000, heavy: true, run: (runtime) => sweepImages(runtime) },
];

/** Opens storage, brings the schema up to date and builds what every request is handed. Throws `StorageError`. */
export async function openRuntime(given: Config, log: Logger): Promise<{ runtime: Runtime; storage: Storage }> {
  const config = withStoredSecrets(given);
  const storage = await openStorage(config, log);
  let sql: Sql;
  try {
    const steps = await bringUp(storage.sql, config);
    if (steps > 0) log.info({ steps }, 'the schema was brought up to date');
    sql = await serving(storage.sql, config.databasePool);
  } catch (error) {
    await storage.close();
    throw error;
  }
  const runtime = createRuntime({
    config,
    sql,
    log,
    telegram: createTelegram(config, log),
    x: createX(config, log),
    push: createPushSending({ hosts: config.push.hosts }),
    prices: createPrices(config, log),
    now: () => new Date(),
    build,
    startedAt: new Date(),
  });
  return { runtime, storage };
}

function withStoredSecrets(given: Config): Config {
  const { webhook, secret } = given.alerts;
  const config =
    webhook === null || secret !== null
      ? given
      : { ...given, alerts: { ...given.alerts, secret: alertsSecret(given.home) } };
  if (config.telegram.botToken === null || config.telegram.webhookSecret !== null) return config;
  return { ...config, telegram: { ...config.telegram, webhookSecret: storedSecrets(config.home).webhookSecret } };
}
