import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/** docs/architecture.md draws what is written down here. */

type Import = { from: string; to: string };

const ROOT = join(import.meta.dirname, '../../app');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(tsx?|css)$/.test(name) && !name.startsWith('paraglide/'));

/** Every import of one file of the app by another: types, stylesheets and what is fetched later too. */
const imports: Import[] = files
  .filter((name) => !name.endsWith('.css'))
  .flatMap((from) => {
    const text = readFileSync(join(ROOT, from), 'utf8');
    const found = text.matchAll(/(?:(?:import|export)\s+(?:[^;'"]*?\s*from\s*)?|import\(\s*)'(?<path>\.[^']+)'/g);
    return [...found].map(({ groups }) => ({ from, to: posix.join(posix.dirname(from), groups?.['path'] ?? '') }));
  })
  .filter(({ to }) => files.includes(to));

/** From the ground up. A file imports its own floor and lower ones. */
const FLOORS = ['lib', 'ui', 'shared', 'kinds', 'features', 'root'];
const floorOf = (path: string): number => FLOORS.indexOf(path.includes('/') ? (path.split('/')[0] ?? '') : 'root');

/** A feature, a shared part, or a task kind: a folder of these floors. */
const partOf = (path: string): string | null => /^((features|shared|kinds)\/[^/]+)\//.exec(path)?.[1] ?? null;
/** A room of a feature that has rooms. */
const roomOf = (path: string): string | null => /^(features\/(leader|ops)\/[^/]+)\//.exec(path)?.[1] ?? null;
const isFile = (path: string): string => path;

/** Features that show others, and nothing else does. `root` puts them all together. */
const SHOWS: Readonly<Record<string, readonly string[]>> = {
  assistant: ['claims'],
  communities: ['gate'],
  dashboard: ['activity', 'claims', 'communities', 'leader', 'leagues'],
  leader: ['claims', 'composer'],
  leaderboard: ['leagues'],
  onboarding: ['communities', 'landing', 'share'],
  ops: ['composer', 'partnerships'],
  settings: ['install', 'notifications', 'profile'],
  share: ['gate'],
  shell: ['gate', 'install', 'ops', 'outbox', 'partnerships', 'update', 'your-data'],
  tools: ['leader'],
};

const shown = ({ from, to }: Import): string => `${from} imports ${to}`;
const nameOf = (part: string | null): string => part?.split('/')[1] ?? '';

/** The shortest ways from a folder or file back to itself. */
function circles(keyOf: (path: string) => string | null): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [one, other] = [keyOf(from), keyOf(to)];
    if (one && other && one !== other) arrows.set(one, (arrows.get(one) ?? new Set()).add(other));
  }
  return [...arrows.keys()].flatMap((start) => {
    const ways = [[start]];
    const seen = new Set<string>();
    for (const way of ways)
      for (const next of arrows.get(way.at(-1) ?? '') ?? []) {
        if (next === start) return [[...way, next].join(' → ')];
        if (!seen.has(next)) ways.push([...way, next]);
        seen.add(next);
      }
    return [];
  });
}

describe('the app', () => {
  it('is read whole here', () => expect(imports.length).toBeGreaterThan(3_000));
  it('imports only what lies on its own floor or a lower one', () =>
    expect(imports.filter(({ from, to }) => floorOf(to) > floorOf(from)).map(shown)).toEqual([]));
  it('has no circle among its features, shared parts and task kinds', () => expect(circles(partOf)).toEqual([]));
  it('has no circle among the rooms of a feature', () => expect(circles(roomOf)).toEqual([]));
  it('has no circle among its files', () => expect(circles(isFile)).toEqual([]));
  it('lets its features meet only through shared parts, but for those that show others', () => {
    const crossing = imports.filter(({ from, to }) => {
      const [one, other] = [partOf(from), partOf(to)];
      if (!one?.startsWith('features/') || !other?.startsWith('features/') || one === other) return false;
      return !SHOWS[nameOf(one)]?.includes(nameOf(other));
    });
    expect(crossing.map(shown)).toEqual([]);
  });
});
