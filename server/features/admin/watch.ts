import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime } from '../../base/runtime.ts';
import type { AlertChannel } from '../../contract/ops-logs.ts';
import { type Readiness, readiness } from '../../storage/ready.ts';
import { type AlertMessage, deliver } from '../client-logs/deliver.ts';
import { alertOf } from './alerts.ts';
import { CHECKS } from './checks.ts';

const LOOKS_EVERY_MS = 15_000;
const BEATS_EVERY_MS = 60_000;
const BEAT_WITHIN_MS = 10_000;
/** Alerts that no channel took yet; more of them say nothing new. */
const UNSENT_MAX = 10;

const SENTENCES: Record<Exclude<Readiness, 'ready'>, string> = {
  away: 'The database does not answer.',
  disk: 'The disk of the database is full, so nothing can be written.',
  memory: 'The database is out of memory, so nothing can be written.',
};

/** What stands in for the database, for the channels and for the network in tests. */
export type WatchPorts = {
  look(): Promise<Readiness>;
  send(channel: AlertChannel, message: AlertMessage): Promise<unknown>;
  beat(url: string): Promise<unknown>;
};

const portsOf = (runtime: Runtime): WatchPorts => ({
  look: () => readiness(runtime),
  send: (channel, message) => deliver(runtime, channel, message),
  beat: async (url) => {
    // No redirects: the address is a secret of one service.
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(BEAT_WITHIN_MS) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  },
});

/**
 * What a process sees to without its database: that a service outside knows that it lives, and that operators hear of a
 * database that is gone. `look` is one round; stopping ends both.
 */
export function createWatch(runtime: Runtime, ports = portsOf(runtime)): { look(): Promise<void> } {
  const { config, now, log } = runtime;
  const { badForMin, wellForMin } = CHECKS.database;
  const channels = channelsOf(config.alerts);
  const mark = markIn(config.home);
  let state: { isWell: boolean; since: number } | null = null;
  let unsent: { channel: AlertChannel; message: AlertMessage }[] = [];
  let beatAt = Number.NEGATIVE_INFINITY;
  let isBeatLost = false;

  const queue = (news: 'bad' | 'well', sentence: string) => {
    const { title, text } = alertOf('database', news, sentence);
    const whole = text === '' ? title : `${title}\n${text}`;
    const message = { rule: 'Checks', kind: 'check' as const, title, text: whole, url: `${config.publicOrigin}/admin` };
    unsent = [...unsent, ...channels.map((channel) => ({ channel, message }))].slice(-UNSENT_MAX);
  };

  const send = async () => {
    const left: typeof unsent = [];
    for (const one of unsent) {
      // What came first is told first.
      if (left.some(({ channel }) => channel === one.channel)) left.push(one);
      else
        await ports.send(one.channel, one.message).catch((error: unknown) => {
          log.warn({ err: error, channel: one.channel.kind }, 'operators could not be alerted of the database');
          left.push(one);
        });
    }
    unsent = left;
  };

  const beat = async (url: string) => {
    beatAt = now().getTime();
    try {
      await ports.beat(url);
      isBeatLost = false;
    } catch (error) {
      // Its words may hold the address.
      if (!isBeatLost)
        log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'the heartbeat was not taken');
      isBeatLost = true;
    }
  };

  return {
    async look() {
      const found = await ports.look().catch((): Readiness => 'away');
      const [at, isWell] = [now().getTime(), found === 'ready'];
      if (state?.isWell !== isWell) state = { isWell, since: at };
      const lasts = (minutes: number) => at - (state?.since ?? at) >= minutes * 60_000;
      if (channels.length > 0) {
        if (found !== 'ready' && lasts(badForMin) && mark.set()) queue('bad', SENTENCES[found]);
        if (found === 'ready' && lasts(wellForMin) && mark.clear()) queue('well', '');
        await send();
      }
      if (isWell && config.heartbeatUrl !== null && at - beatAt >= BEATS_EVERY_MS) await beat(config.heartbeatUrl);
    },
  };
}

function channelsOf({ telegramChat, webhook }: Runtime['config']['alerts']): AlertChannel[] {
  return [
    ...(telegramChat === null ? [] : [{ kind: 'telegram' as const, chatId: telegramChat }]),
    ...(webhook === null ? [] : [{ kind: 'webhook' as const, url: webhook }]),
  ];
}

/**
 * That the database's failure was told: a file of the home, because the database cannot hold it. Of several processes on a
 * machine one tells, and one that starts later knows. Where it cannot be written each process remembers for itself.
 */
function markIn(home: string): { set(): boolean; clear(): boolean } {
  const path = join(home, 'database-told');
  let own = false;
  return {
    set() {
      if (own) return false;
      try {
        writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        own = true;
        return true;
      }
    },
    clear() {
      const wasOwn = own;
      own = false;
      try {
        rmSync(path);
        return true;
      } catch {
        return wasOwn;
      }
    },
  };
}

export function startWatch(runtime: Runtime): { stop(): Promise<void> } {
  const watch = createWatch(runtime);
  let looking: Promise<void> | null = null;
  const begin = () => {
    looking ??= watch.look().finally(() => {
      looking = null;
    });
  };
  const timer = setInterval(begin, LOOKS_EVERY_MS).unref();
  begin();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
