import { useCallback, useEffect, useState } from 'react';
import type { PracticeNote, PracticeRecord } from '../../../worker/schema.ts';
import { device } from '../../lib/device.ts';
import { lastMember } from '../../lib/hints.ts';
import { useUser } from '../../lib/query.ts';

const NOTHING: PracticeRecord = { cards: {}, days: {} };

/**
 * Practice on this device, by the signed-in member or a visitor. `record` is null until it has loaded. An answer shows
 * at once, even if the device cannot store it (`isStored` is false then).
 */
export function usePractice(): {
  record: PracticeRecord | null;
  isStored: boolean;
  note: (note: PracticeNote) => void;
} {
  const partition = useUser()?.id ?? lastMember() ?? '';
  const [record, setRecord] = useState<PracticeRecord | null>(null);
  const [isStored, setStored] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    setRecord(null);
    device.practice(partition).then(
      (read) => isCurrent && setRecord(read),
      () => {
        if (!isCurrent) return;
        setStored(false);
        setRecord(NOTHING);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [partition]);
  const note = useCallback(
    (given: PracticeNote) => {
      setRecord((before) => noted(before ?? NOTHING, given));
      device.notePractice(partition, given).catch(() => setStored(false));
    },
    [partition],
  );
  return { record, isStored, note };
}

function noted(record: PracticeRecord, { pack, question, card, day, isRight }: PracticeNote): PracticeRecord {
  const before = record.days[day] ?? { answered: 0, right: 0 };
  return {
    cards: { ...record.cards, [pack]: { ...record.cards[pack], [question]: card } },
    days: { ...record.days, [day]: { answered: before.answered + 1, right: before.right + (isRight ? 1 : 0) } },
  };
}
