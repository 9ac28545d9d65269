import type { PracticeCard, PracticeDay, PracticeNote, PracticeRecord } from './schema.ts';
import type { DeviceStorage, Transaction } from './storage/storage.ts';

/**
 * Practice records of this device, never sent: one row of cards per pack and one of days, in a partition per member and
 * one for visitors.
 */
const prefixOf = (partition: string): string => `practice:${partition}:`;
const DAYS = '#days';
/** Days of practice that are stored: more than any streak that is shown. */
const DAYS_MAX = 400;

type Cards = Record<string, PracticeCard>;
type Days = Record<string, PracticeDay>;

async function read<T extends object>(tx: Transaction, key: string): Promise<T> {
  const value = (await tx.get('meta', key))?.value;
  return (typeof value === 'object' && value !== null ? value : {}) as T;
}

/** All that was practised in a partition. */
export function readPractice(storage: DeviceStorage, partition: string): Promise<PracticeRecord> {
  const prefix = prefixOf(partition);
  return storage.run(['meta'], async (tx) => {
    const record: PracticeRecord = { cards: {}, days: {} };
    for (const { key, value } of await tx.all('meta')) {
      if (!key.startsWith(prefix)) continue;
      const name = key.slice(prefix.length);
      if (name === DAYS) record.days = value as Days;
      else record.cards[name] = value as Cards;
    }
    return record;
  });
}

/** Records one answer once. When two tabs answer the same question, the later answer wins. */
export function notePractice(storage: DeviceStorage, partition: string, note: PracticeNote): Promise<void> {
  const { pack, question, card, day, isRight } = note;
  const prefix = prefixOf(partition);
  return storage.run(['meta'], async (tx) => {
    const cards = await read<Cards>(tx, prefix + pack);
    const lastAt = cards[question]?.lastAt ?? 0;
    // Asked twice.
    if (lastAt === card.lastAt) return;
    if (lastAt < card.lastAt) await tx.put('meta', { key: prefix + pack, value: { ...cards, [question]: card } });
    const days = await read<Days>(tx, prefix + DAYS);
    const before = days[day] ?? { answered: 0, right: 0 };
    const next = { ...days, [day]: { answered: before.answered + 1, right: before.right + (isRight ? 1 : 0) } };
    const recent = Object.fromEntries(Object.entries(next).sort().slice(-DAYS_MAX));
    await tx.put('meta', { key: prefix + DAYS, value: recent });
  });
}
