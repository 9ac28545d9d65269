import { TASK_POINTS_MAX } from '../../../server/contract/limits.ts';

/** Points as typed, or null where they are not a whole number within the limits. */
export function pointsIn(text: string): number | null {
  if (!/^\d{1,4}$/.test(text.trim())) return null;
  const points = Number(text);
  return points <= TASK_POINTS_MAX ? points : null;
}
