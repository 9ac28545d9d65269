import { spawnSync } from 'node:child_process';

/** Whether a part of a test of tier `all` can be played. Where it cannot, the output says what was not, and for want of what. */
export function canPlay(what: string, ...programs: string[]): boolean {
  const lacks = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  if (lacks.length > 0) console.log(`NOT PLAYED: ${what} (needs ${lacks.join(', ')})`);
  return lacks.length === 0;
}
