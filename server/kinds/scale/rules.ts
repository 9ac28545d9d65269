import { SCALE_MAX } from '../../contract/limits.ts';

/** Every answer there is, the lowest first. */
export const SCALE: readonly number[] = Array.from({ length: SCALE_MAX }, (_, at) => at + 1);
