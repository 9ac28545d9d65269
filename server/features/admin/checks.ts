import type { CheckName } from '../../contract/overview.ts';
import type { Check, Facts, Found } from './check.ts';
import { checkCertificate, checkClock } from './check-machine.ts';
import { checkBackups, checkDatabase, checkDisk, checkLedgerState, checkSize } from './check-storage.ts';
import { checkTelegram } from './check-telegram.ts';
import { checkIntake, checkJobs, checkPush, checkWebhooks } from './check-work.ts';

type Described<N extends CheckName> = {
  title: string;
  make: Check<N>;
  /** What is wrong, in one sentence: for an alert. Only asked where it is not fine. */
  says: (facts: Facts<N>, state: Found<N>['state']) => string;
  /** What to do first. The section of `docs/operations/what-to-do-when.md` with the check's name has the rest. */
  wayOut: string;
  /** For how many minutes it must have been bad before an alert is sent, and well before its end is. */
  badForMin: number;
  wellForMin: number;
};

const percent = (share: number): string => `${Math.floor(share * 100)} %`;
const amount = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
const on = (day: string | null): string => (day === null ? '' : ` At the rate of the last weeks it is full on ${day}.`);

/** Every check of the instance: how it is made, what is said of it, and how long it must last. */
export const CHECKS: { [N in CheckName]: Described<N> } = {
  disk: {
    title: 'Disk',
    make: checkDisk,
    says: ({ totalBytes, freeBytes, fullOn }) =>
      `The disk of MUSTER_HOME is ${percent(1 - freeBytes / totalBytes)} full, ${amount(freeBytes)} are free.${on(fullOn)}`,
    wayOut: 'Delete what is not needed on that disk, or make it larger; lower CLIENT_LOG_TOTAL_MB if logs fill it.',
    badForMin: 2,
    wellForMin: 5,
  },
  database: {
    title: 'Database',
    make: checkDatabase,
    says: ({ answeredMs, waitingLocks, connections, maxConnections }, state) =>
      state === 'failed'
        ? 'The database does not take what is written.'
        : connections > maxConnections * 0.9
          ? `The database has ${connections} of ${maxConnections} connections in use.`
          : `The database is slow: it answered in ${answeredMs} ms, and ${waitingLocks} locks are waited for.`,
    wayOut: 'See whether PostgreSQL runs and has room on its disk; its log says why it does not.',
    badForMin: 1,
    wellForMin: 2,
  },
  size: {
    title: 'Database size',
    make: checkSize,
    says: ({ bytes, limitBytes, fullOn }) =>
      `The database takes ${amount(bytes)} of the ${amount(limitBytes ?? bytes)} that DATABASE_LIMIT_MB allows.${on(fullOn)}`,
    wayOut: 'Give the database more room and raise DATABASE_LIMIT_MB, or keep client logs for fewer days.',
    badForMin: 15,
    wellForMin: 15,
  },
  backups: {
    title: 'Backups',
    make: checkBackups,
    says: ({ goodAt, failedAt, failure }) =>
      [
        failedAt === null
          ? 'There is no recent backup.'
          : `The last backup failed: ${failure ?? 'no reason was given'}.`,
        goodAt === null
          ? 'None has gone well yet.'
          : `The last good one is of ${goodAt.slice(0, 16).replace('T', ' ')} UTC.`,
      ].join(' '),
    wayOut: 'Make one by hand (npm run muster -- backup <file>) and mend what it names.',
    badForMin: 0,
    wellForMin: 0,
  },
  jobs: {
    title: 'Jobs',
    make: checkJobs,
    says: ({ all, behind }) =>
      all === 0
        ? 'No background job has run yet.'
        : `Background jobs fail or are late: ${behind.map(({ name, error }) => (error === null ? name : `${name} (${error})`)).join(', ')}.`,
    wayOut:
      'Look for “a job failed” in the log; a job that is merely late wants DATABASE_JOBS_POOL or a faster database.',
    badForMin: 3,
    wellForMin: 5,
  },
  telegram: {
    title: 'Telegram bot',
    make: checkTelegram,
    says: ({ configured, error, webhook }) =>
      !configured
        ? 'No Telegram bot is set up, so nobody can sign in.'
        : error !== null
          ? `The Telegram bot does not answer: ${error}.`
          : webhook?.isOurs === false
            ? 'The bot’s webhook points to another server.'
            : `Telegram does not reach this server: ${webhook?.error ?? `${webhook?.pending ?? 0} updates wait`}.`,
    wayOut: 'Check TELEGRAM_BOT_TOKEN with @BotFather, and that Telegram reaches PUBLIC_ORIGIN/api/telegram/webhook.',
    badForMin: 5,
    wellForMin: 5,
  },
  push: {
    title: 'Push',
    make: checkPush,
    says: ({ resting, services }) =>
      resting.length > 0
        ? `Push services do not take messages now: ${resting.join(', ')}.`
        : `Push services refuse messages: ${services
            .filter(({ failed }) => failed > 0)
            .map(({ service, sent, failed }) => `${service} ${failed} of ${sent + failed}`)
            .join(', ')}.`,
    wayOut:
      'See that this server reaches the push service, and that VAPID_SUBJECT and the VAPID keys are the ones it knows.',
    badForMin: 10,
    wellForMin: 10,
  },
  intake: {
    title: 'Log intake',
    make: checkIntake,
    says: ({ deafRules, oldestS, waiting, refusedToday }) =>
      deafRules.length > 0
        ? `Alert rules do not reach anybody: ${deafRules.join(', ')}.`
        : oldestS > 60
          ? `${waiting} log entries wait to be read, the oldest for ${Math.round(oldestS / 60)} minutes.`
          : `${refusedToday} log entries of devices were refused today.`,
    wayOut:
      'Mend the channel of the rule, or raise CLIENT_LOG_DAY_MB; entries that wait are read once the database keeps up.',
    badForMin: 5,
    wellForMin: 5,
  },
  webhooks: {
    title: 'Webhooks',
    make: checkWebhooks,
    says: ({ failed, troubled }) =>
      `Webhooks of communities fail: ${troubled.map(({ name }) => name).join(', ')} (${failed} deliveries given up within a day).`,
    wayOut: 'The community’s leaders see why at their webhooks; where all of them fail, this server does not get out.',
    badForMin: 10,
    wellForMin: 10,
  },
  ledger: {
    title: 'Ledger',
    make: checkLedgerState,
    says: ({ differences }) => `${differences} boards differ from the ledger. Points are safe, what is shown is wrong.`,
    wayOut: 'Run npm run muster -- ledger check and report what it prints: it is a bug.',
    badForMin: 0,
    wellForMin: 0,
  },
  clock: {
    title: 'Clock',
    make: checkClock,
    says: ({ databaseS, upstreamS, upstream }) =>
      Math.abs(upstreamS ?? 0) > Math.abs(databaseS)
        ? `This machine’s clock differs by ${Math.abs(upstreamS ?? 0)} s from that of ${upstream}.`
        : `This machine’s clock differs by ${Math.abs(databaseS)} s from the database’s.`,
    wayOut: 'Switch time synchronisation on, on this machine and on the database’s: timedatectl set-ntp true.',
    badForMin: 2,
    wellForMin: 5,
  },
  certificate: {
    title: 'Certificate',
    make: checkCertificate,
    says: ({ host, daysLeft, refused, upstreams }) =>
      refused !== null
        ? `Browsers refuse the certificate of ${host} (${refused}).`
        : daysLeft !== null && daysLeft < 14
          ? `The certificate of ${host} ends in ${daysLeft} days and was not renewed.`
          : `The certificates of webhooks’ receivers are refused: ${upstreams.join(', ')}.`,
    wayOut: 'Look into the proxy’s log why it does not renew: port 80 and the domain’s DNS must lead to it.',
    badForMin: 10,
    wellForMin: 5,
  },
};
