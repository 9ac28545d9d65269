import type { CheckName, Checks } from '../../../../server/contract/overview.ts';
import { bytesWord } from '../../../lib/bytes.ts';
import { calendarDay, listing, number, stampTime } from '../../../lib/format.ts';
import type { Target } from '../../../lib/target.ts';
import { m } from '../../../paraglide/messages.js';
import { ageWord, shareWord } from '../words.ts';

type FactsOf<N extends CheckName> = NonNullable<Checks[N]['facts']>;

/** A failing check: what is wrong, what it means, and where to fix it. */
export type FailingCheck = {
  title: string;
  line: string;
  /** A command for the instance's machine. */
  command?: string;
  /** The check's own error code. */
  code?: string;
  fix?: { link: Target; label: string };
};
/** A healthy check: one line with one figure. */
export type HealthyCheck = { line: string; figure: string; small: string };

const NAMES: Record<CheckName, () => string> = {
  disk: m.desk_check_disk,
  database: m.desk_check_database,
  size: m.desk_check_size,
  backups: m.desk_check_backups,
  jobs: m.desk_check_jobs,
  telegram: m.desk_check_telegram,
  push: m.desk_check_push,
  intake: m.desk_check_intake,
  webhooks: m.desk_check_webhooks,
  ledger: m.desk_check_ledger,
  clock: m.desk_check_clock,
  certificate: m.desk_check_certificate,
};
export const checkWord = (name: CheckName): string => NAMES[name]();

const TROUBLES: { [N in CheckName]: (facts: FactsOf<N>) => FailingCheck } = {
  disk({ totalBytes, freeBytes, fullOn, holdsDatabase }) {
    const line = m.desk_disk_line({ free: bytesWord(freeBytes), total: bytesWord(totalBytes) });
    return {
      title:
        fullOn === null
          ? m.desk_disk_full({ share: shareWord(1 - freeBytes / totalBytes) })
          : m.desk_disk_full_on({ day: calendarDay(fullOn) }),
      line: holdsDatabase ? line : `${line} ${m.desk_disk_apart()}`,
      fix: { link: { to: '/admin/client-logs/fleet' }, label: m.desk_disk_act() },
    };
  },
  database({ answeredMs, waitingLocks, connections, maxConnections }) {
    if (connections > maxConnections * 0.9)
      return {
        title: m.desk_database_crowded(),
        line: m.desk_database_crowded_line({ n: number(connections), all: number(maxConnections) }),
      };
    return {
      title: m.desk_database_slow(),
      line: m.desk_database_slow_line({ ms: number(answeredMs), locks: number(waitingLocks) }),
    };
  },
  size: ({ bytes, limitBytes, fullOn }) => ({
    title:
      fullOn === null
        ? m.desk_size_title({ share: shareWord(bytes / (limitBytes ?? bytes)) })
        : m.desk_size_title_on({ day: calendarDay(fullOn) }),
    line: m.desk_size_line({ bytes: bytesWord(bytes), limit: bytesWord(limitBytes ?? bytes) }),
    fix: { link: { to: '/admin/client-logs/fleet' }, label: m.desk_disk_act() },
  }),
  backups({ goodAt, failedAt, failure }) {
    const command = m.desk_backups_command();
    if (failedAt !== null)
      return {
        title: m.desk_backups_failed(),
        line: m.desk_backups_failed_line({
          time: stampTime(failedAt),
          good: goodAt === null ? m.desk_backups_never_good() : m.desk_backups_good({ time: stampTime(goodAt) }),
        }),
        command,
        ...(failure !== null && { code: failure }),
      };
    if (goodAt === null) return { title: m.desk_backups_none(), line: m.desk_backups_none_line(), command };
    return { title: m.desk_backups_late({ time: stampTime(goodAt) }), line: m.desk_backups_late_line(), command };
  },
  jobs({ all, behind }) {
    if (all === 0) return { title: m.desk_jobs_none(), line: m.desk_jobs_none_line() };
    const failing = behind.filter(({ error }) => error !== null);
    const shown = failing.length > 0 ? failing : behind;
    const words = { count: shown.length, n: number(shown.length), name: shown[0]?.name ?? '' };
    const runs = behind.map(({ name, okAt }) =>
      okAt === null ? m.desk_jobs_one_never({ name }) : m.desk_jobs_one({ name, time: stampTime(okAt) }),
    );
    const error = failing[0]?.error;
    return {
      title: failing.length > 0 ? m.desk_jobs_fail(words) : m.desk_jobs_late(words),
      line: `${runs.join('; ')}. ${m.desk_jobs_line()}`,
      ...(error && { code: error }),
    };
  },
  telegram({ configured, error, webhook }) {
    if (!configured) return { title: m.desk_telegram_none(), line: m.desk_telegram_none_line() };
    if (error !== null) return { title: m.desk_telegram_silent(), line: m.desk_telegram_silent_line(), code: error };
    if (webhook?.isOurs)
      return {
        title: m.desk_telegram_behind(),
        line: m.desk_telegram_behind_line({ count: webhook.pending, n: number(webhook.pending) }),
        code: webhook.error ?? '',
      };
    return { title: m.desk_telegram_elsewhere(), line: m.desk_telegram_elsewhere_line() };
  },
  push({ services, resting }) {
    const fix: NonNullable<FailingCheck['fix']> = {
      link: { to: '/admin/analytics', hash: 'push' },
      label: m.desk_push_act(),
    };
    const lossy = services.filter(({ failed }) => failed > 0);
    if (resting.length > 0)
      return { title: m.desk_push_resting(), line: m.desk_push_resting_line({ services: listing(resting) }), fix };
    return {
      title: m.desk_push_lost(),
      line: m.desk_push_lost_line({ services: listing((lossy.length > 0 ? lossy : services).map(takenWord)) }),
      fix,
    };
  },
  intake({ waiting, oldestS, refusedToday, deafRules }) {
    if (deafRules.length > 0)
      return {
        title: m.desk_intake_deaf(),
        line: m.desk_intake_deaf_line({ rules: listing(deafRules) }),
        fix: { link: { to: '/admin/client-logs/rules' }, label: m.desk_intake_deaf_act() },
      };
    const fix: NonNullable<FailingCheck['fix']> = { link: { to: '/admin/client-logs' }, label: m.desk_intake_act() };
    if (oldestS > 60)
      return {
        title: m.desk_intake_slow(),
        line: m.desk_intake_slow_line({
          count: waiting,
          n: number(waiting),
          span: ageWord(new Date(Date.now() - oldestS * 1_000).toISOString()),
        }),
        fix,
      };
    return {
      title: m.desk_intake_refused({ count: refusedToday, n: number(refusedToday) }),
      line: m.desk_intake_refused_line(),
      fix,
    };
  },
  webhooks({ failed, troubled }) {
    const [first] = troubled;
    return {
      title: troubled.some(({ paused }) => paused > 0)
        ? m.desk_webhooks_paused()
        : m.desk_webhooks_trouble({ count: failed, n: number(failed) }),
      line: m.desk_webhooks_line({ names: listing(troubled.map(({ name }) => name)) }),
      ...(first && {
        fix: {
          link: { to: '/community/$communityId', params: { communityId: first.slug } },
          label: m.desk_webhooks_act({ name: first.name }),
        },
      }),
    };
  },
  ledger: ({ differences }) => ({
    title: m.desk_ledger_differs({ count: differences, n: number(differences) }),
    line: m.desk_ledger_line(),
    command: m.desk_ledger_command(),
  }),
  clock({ databaseS, upstreamS, upstream }) {
    const isUpstream = Math.abs(upstreamS ?? 0) > Math.abs(databaseS);
    return {
      title: m.desk_clock_title({ n: number(Math.abs(isUpstream ? (upstreamS ?? 0) : databaseS)) }),
      line: m.desk_clock_line({ whom: isUpstream ? (upstream ?? '') : m.desk_clock_database() }),
    };
  },
  certificate({ host, daysLeft, validTo, refused, upstreams }) {
    if (refused !== null)
      return { title: m.desk_certificate_refused(), line: m.desk_certificate_refused_line({ host }), code: refused };
    if (daysLeft !== null && validTo !== null && daysLeft < 14)
      return {
        title: m.desk_certificate_ends({ count: daysLeft, n: number(daysLeft) }),
        line: m.desk_certificate_ends_line({ day: calendarDay(validTo.slice(0, 10)), host }),
      };
    return {
      title: m.desk_certificate_upstreams(),
      line: m.desk_certificate_upstreams_line({ hosts: listing(upstreams) }),
    };
  },
};

/** How much a push service accepted of what it was sent. */
function takenWord({ service, sent, failed }: FactsOf<'push'>['services'][number]): string {
  return m.desk_push_service({ service, share: shareWord(sent / Math.max(1, sent + failed)) });
}

const WELL: { [N in CheckName]: (facts: FactsOf<N>) => HealthyCheck } = {
  disk: ({ totalBytes, freeBytes, fullOn }) => ({
    line: fullOn === null ? m.desk_disk_steady() : m.desk_disk_slow({ day: calendarDay(fullOn) }),
    figure: shareWord(1 - freeBytes / totalBytes),
    small: m.desk_disk_free({ free: bytesWord(freeBytes) }),
  }),
  database: ({ version, answeredMs, bytes, schema }) => ({
    line: m.desk_database_version({ version, ms: number(answeredMs) }),
    figure: bytesWord(bytes),
    small: m.desk_database_size({ schema: number(schema) }),
  }),
  size: ({ bytes, limitBytes, isBeside }) => ({
    line: isBeside ? m.desk_size_beside() : limitBytes === null ? m.desk_size_unknown() : m.desk_size_within(),
    figure: bytesWord(bytes),
    small: limitBytes === null ? m.desk_size_taken() : m.desk_size_of({ limit: bytesWord(limitBytes) }),
  }),
  backups: ({ goodAt, nextAt, bytes, places, triedAt }) => ({
    line: [
      goodAt === null ? m.desk_backups_not_yet() : m.desk_backups_written(),
      nextAt === null ? [] : m.desk_backups_next({ time: stampTime(nextAt), places: listing(places) }),
      triedAt === null ? [] : m.desk_backups_tried({ time: stampTime(triedAt) }),
      bytes === null ? [] : m.desk_backups_size({ size: bytesWord(bytes) }),
    ]
      .flat()
      .join('. '),
    figure: goodAt === null ? '–' : stampTime(goodAt),
    small: m.desk_backups_last(),
  }),
  jobs: ({ all, lastAt }) => ({
    line: all === 0 ? m.desk_jobs_starting() : m.desk_jobs_well({ count: all, n: number(all) }),
    figure: lastAt === null ? '–' : stampTime(lastAt),
    small: m.desk_jobs_last(),
  }),
  telegram: ({ botUsername, requiredChannel, webhook }) => ({
    line:
      webhook === null
        ? m.desk_telegram_answers({ name: botUsername ?? '' })
        : m.desk_telegram_hears({ count: webhook.pending, name: botUsername ?? '', n: number(webhook.pending) }),
    figure: requiredChannel ?? '–',
    small: requiredChannel === null ? m.desk_telegram_no_channel() : m.ops_telegram_channel(),
  }),
  push: ({ sent, failed, services, subscriptions }) => ({
    line: services.length === 0 ? m.desk_push_quiet() : listing(services.slice(0, 3).map(takenWord)),
    figure: sent + failed === 0 ? number(subscriptions) : shareWord(sent / (sent + failed)),
    small: sent + failed === 0 ? m.desk_push_devices({ count: subscriptions }) : m.desk_push_delivered(),
  }),
  intake: ({ waiting, today }) => ({
    line: m.desk_intake_fine({ count: waiting, n: number(waiting) }),
    figure: number(today),
    small: m.desk_intake_today(),
  }),
  webhooks: ({ active, waiting, failed }) => ({
    line: m.desk_webhooks_fine({ count: active, n: number(active), waiting: number(waiting) }),
    figure: number(failed),
    small: m.desk_webhooks_failed(),
  }),
  ledger: ({ checkedAt }) => ({
    line: m.desk_ledger_same(),
    figure: checkedAt === null ? '–' : stampTime(checkedAt),
    small: checkedAt === null ? m.desk_ledger_not_yet() : m.desk_ledger_checked(),
  }),
  clock: ({ databaseS, upstreamS, upstream }) => ({
    line: upstream === null ? m.desk_clock_fine() : m.desk_clock_fine_both({ upstream }),
    figure: m.desk_seconds({ n: number(Math.max(Math.abs(databaseS), Math.abs(upstreamS ?? 0))) }),
    small: m.desk_clock_off(),
  }),
  certificate: ({ validTo, daysLeft }) => ({
    line:
      validTo === null
        ? m.desk_certificate_none()
        : m.desk_certificate_good({ day: calendarDay(validTo.slice(0, 10)) }),
    figure: daysLeft === null ? '–' : number(daysLeft),
    small: daysLeft === null ? '' : m.desk_certificate_days(),
  }),
};

/** A check's problem in words. A check that could not run says so. */
export function failingCheckOf<N extends CheckName>(name: N, { facts, error, state }: Checks[N]): FailingCheck {
  if (facts === null)
    return {
      title: m.desk_unknown_title({ name: checkWord(name) }),
      line: m.desk_unknown_line(),
      ...(error !== null && { code: error }),
    };
  // An unreachable database comes before any detail.
  if (name === 'database' && state === 'failed')
    return { title: m.desk_database_writes(), line: m.desk_database_writes_line() };
  return TROUBLES[name](facts as FactsOf<N>);
}

/** A healthy check's line; null when unknown. */
export const healthyCheckOf = <N extends CheckName>(name: N, { facts }: Checks[N]): HealthyCheck | null =>
  facts === null ? null : WELL[name](facts as FactsOf<N>);
