import { DEFAULT_THEME } from '../server/contract/limits.ts';
import type { LogKind } from '../server/contract/logs.ts';
import { listAcknowledged, purgeAcknowledged, settleAcknowledged } from './acknowledged.ts';
import type { DeviceApi } from './api.ts';
import { appendLog } from './client-logs.ts';
import { BREADCRUMB_AFTER_MS } from './drain-logs.ts';
import { drainSchedule, type WakeAt } from './drain-schedule.ts';
import { uuidv7 } from './ids.ts';
import {
  addEntry,
  discardEntry,
  editEntry,
  listEntries,
  releaseEntries,
  retryEntry,
  setMember,
  undoEntries,
} from './outbox.ts';
import { everythingOf, forgetPerson } from './person.ts';
import { notePractice, readPractice } from './practice.ts';
import { forgetSubscription, pushMeta, storeSubscription } from './push.ts';
import type { ThemePreference } from './schema.ts';
import type { DrainPorts } from './send.ts';
import type { ResilientStorage } from './storage/resilient.ts';

const isTheme = (value: unknown): value is ThemePreference =>
  value === 'light' || value === 'dark' || value === 'system';

export type DevicePorts = DrainPorts & {
  storage: ResilientStorage;
  wakeAt: WakeAt;
};

/** The device worker's work, without the worker around it. */
export function createDevice({ wakeAt, ...given }: DevicePorts): DeviceApi {
  const ports = {
    ...given,
    newId: () => uuidv7(given.now(), given.random),
    breadcrumbsFrom: given.now() + BREADCRUMB_AFTER_MS,
  };
  const { storage } = ports;
  const changed = () => ports.broadcast({ type: 'OUTBOX_CHANGED' });

  const drains = drainSchedule(ports, wakeAt);
  /** Resolves when all log entries so far are stored. */
  let logsStored: Promise<unknown> = Promise.resolve();
  /** The signed-in member, as the pages named them to this worker. */
  let member: string | null = null;
  /** The storage state goes along: operators count the devices whose storage does not outlive a page. */
  const storeLog = async (kind: LogKind, data: Record<string, unknown>, id?: string): Promise<boolean> =>
    appendLog(ports, kind, { ...data, storageState: await storage.state() }, id);

  return {
    storageState: () => storage.state(),
    async getTheme() {
      const row = await storage.run(['settings'], (tx) => tx.get('settings', 'theme'));
      return isTheme(row?.value) ? row.value : DEFAULT_THEME;
    },
    async setTheme(theme) {
      await storage.run(['settings'], (tx) => tx.put('settings', { key: 'theme', value: theme }));
    },
    async appendLog(kind, data, id) {
      // A log entry that cannot be stored is dropped silently: logging the failure would loop.
      const stored = storeLog(kind, data, id).catch(() => false);
      logsStored = Promise.all([logsStored, stored]).then(() => undefined);
      const isNew = await stored;
      if (isNew && kind === 'error') drains.behind();
      else if (isNew) drains.wakeBy(ports.now() + BREADCRUMB_AFTER_MS);
    },
    outbox: (userId) => listEntries(storage, userId),
    async enqueue({ holdMs = 0, ...entry }) {
      // Stored before the first request: the command survives if the page is closed now.
      await addEntry(ports, holdMs > 0 ? { ...entry, holdMs } : entry, member);
      // In memory a held entry would be lost with the page, so it is released at once.
      if (holdMs > 0 && (await storage.state()).kind !== 'durable') await releaseEntries(storage, [entry.id]);
      changed();
      drains.behind();
    },
    async undo(ids) {
      const undone = await undoEntries(storage, ids);
      changed();
      return undone;
    },
    async release(ids) {
      await releaseEntries(storage, ids);
      changed();
      drains.behind();
    },
    async retry(id) {
      await retryEntry(storage, id);
      changed();
      drains.behind(true);
    },
    async edit(id, body, next) {
      if (!(await editEntry(storage, id, body, next))) return false;
      changed();
      drains.behind(true);
      return true;
    },
    async discard(id) {
      await discardEntry(storage, id);
      changed();
    },
    acknowledged: (userId) => listAcknowledged(storage, userId),
    settleAcknowledged: (read, keys, from) => settleAcknowledged(storage, read, keys, from),
    purgeAcknowledged: () => storage.run(['acknowledged'], (tx) => purgeAcknowledged(tx, null)),
    push: () => pushMeta(storage),
    async storeSubscription(subscription) {
      if (!(await storeSubscription(ports, subscription))) return false;
      changed();
      drains.behind(true);
      return true;
    },
    async forgetSubscription(unwantedBy) {
      await forgetSubscription(storage, unwantedBy);
      changed();
    },
    practice: (partition) => readPractice(storage, partition),
    notePractice: (partition, note) => notePractice(storage, partition, note),
    everything: (userId) => everythingOf(storage, userId),
    async forget(userId) {
      await forgetPerson(storage, userId);
      changed();
    },
    async drain({ hurry = false, held = false } = {}) {
      if (held) {
        const rows = await storage.run(['outbox'], (tx) => tx.all('outbox'));
        await releaseEntries(
          storage,
          rows.map(({ id }) => id),
        );
      }
      return drains.soon(hurry);
    },
    async setMember(userId) {
      // Breadcrumbs about a sign-out name the screens that were open, so they are sent at once.
      if (member !== null && userId !== member) ports.breadcrumbsFrom = 0;
      member = userId;
      const isNews = await setMember(storage, userId);
      if (isNews) ports.broadcast({ type: 'MEMBER_CHANGED', userId });
      // Sign-outs drain too: the service worker records the same, often earlier, and sends nothing itself.
      await logsStored;
      drains.behind(true);
    },
  };
}
