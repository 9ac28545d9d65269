import { m } from '../../paraglide/messages.js';
import { Select } from '../../ui/field.tsx';
import type { DeskAction } from './desk-actions.tsx';

const DAY_MS = 24 * 60 * 60_000;
const ENDS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, open: null } as const;

/** How long a suspension lasts. */
export type End = keyof typeof ENDS;
const END_NAMES = ['day', 'week', 'month', 'open'] as const satisfies readonly End[];
const END_WORDS: Record<End, () => string> = {
  day: m.people_end_day,
  week: m.people_end_week,
  month: m.people_end_month,
  open: m.people_end_open,
};

/** When a suspension that starts now ends, ISO 8601; null until it is lifted. */
export function untilOf(end: End): string | null {
  const ms = ENDS[end];
  return ms === null ? null : new Date(Date.now() + ms).toISOString();
}

/** The part of a suspension's action that chooses its end. */
export const endField: Pick<DeskAction<{ end: End }>, 'act' | 'more' | 'fields'> = {
  act: ({ end }) => m.people_suspend_act({ end: END_WORDS[end]() }),
  more: { end: 'week' },
  fields: (form) => (
    <Select
      label={m.people_until()}
      options={END_NAMES.map((value) => ({ value, label: END_WORDS[value]() }))}
      {...form.field('end')}
    />
  ),
};
