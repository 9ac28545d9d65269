import { DEFAULT_THEME } from '../server/contract/limits.ts';
import type { DeviceApi, DrainReport } from './api.ts';
import { appendLog } from './client-logs.ts';
import { type DrainPorts, drain } from './drain.ts';
import { uuidv7 } from './ids.ts';
import { addEntry, discardEntry, editEntry, listEntries, retryEntry, setMember } from './outbox.ts';
import type { ThemePreference } from './schema.ts';
import type { DeviceStorage } from './storage/storage.ts';

const isTheme = (value: unknown): value is ThemePreference =>
  value === 'light' || value === 'dark' || value === 'system';

export type DevicePorts = Omit<DrainPorts, 'storage'> & {
  storage: Promise<DeviceStorage>;
  /** Calls back at a time (epoch milliseconds), in place of the time named before. */
  wakeAt: (time: number | null, wake: () => void) => void;
};

/** The device worker's work, without the worker around it. */
export function createDevice({ storage: opening, wakeAt, ...ports }: DevicePorts): DeviceApi {
  const newId = () => uuidv7(ports.now(), ports.random);
  const withStorage = async () => ({ ...ports, newId, storage: await opening });
  const changed = () => ports.tell({ type: 'OUTBOX_CHANGED' });

  let next: { hurry: boolean; done: Promise<DrainReport> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  /** One drain runs and at most one waits behind it: whoever asks meanwhile shares the one that waits. */
  function drainSoon(hurry: boolean): Promise<DrainReport> {
    if (next) {
      next.hurry ||= hurry;
      return next.done;
    }
    const own = { hurry, done: running.then(() => start()) };
    const start = async (): Promise<DrainReport> => {
      next = undefined;
      const report = await drain(await withStorage(), { hurry: own.hurry });
      wakeAt(report.nextAt, () => void drainSoon(false).catch(() => undefined));
      return report;
    };
    next = own;
    running = own.done.catch(() => undefined);
    return own.done;
  }
  const drainBehind = (hurry = false): void => void drainSoon(hurry).catch(() => undefined);

  return {
    async storageState() {
      return (await opening).kind === 'durable' ? { kind: 'durable' } : { kind: 'memory', reason: 'refused' };
    },
    async getTheme() {
      const row = await (await opening).run(['settings'], (tx) => tx.get('settings', 'theme'));
      return isTheme(row?.value) ? row.value : DEFAULT_THEME;
    },
    async setTheme(theme) {
      await (await opening).run(['settings'], (tx) => tx.put('settings', { key: 'theme', value: theme }));
    },
    async appendLog(kind, data) {
      // A log that cannot be kept is lost in silence: to log that would begin a loop.
      const isNew = await withStorage()
        .then((device) => appendLog(device, kind, data))
        .catch(() => false);
      if (isNew) drainBehind();
    },
    outbox: async (userId) => listEntries(await opening, userId),
    async enqueue(entry) {
      const id = await addEntry(await withStorage(), entry);
      changed();
      drainBehind();
      return id;
    },
    async retry(id) {
      await retryEntry(await opening, id);
      changed();
      drainBehind(true);
    },
    async edit(id, body) {
      const next = await editEntry(await withStorage(), id, body);
      if (next === null) return null;
      changed();
      drainBehind(true);
      return next;
    },
    async discard(id) {
      const isGone = await discardEntry(await opening, id);
      if (isGone) changed();
      return isGone;
    },
    drain: ({ hurry = false } = {}) => drainSoon(hurry),
    async setMember(userId) {
      const isNews = await setMember(await opening, userId);
      if (!isNews) return;
      ports.tell({ type: 'MEMBER_CHANGED', userId });
      drainBehind(true);
    },
  };
}
