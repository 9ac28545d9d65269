import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

/** docs/decisions/layers.md draws what is written down here. */

type Import = { from: string; to: string; names: string };

const ROOT = join(import.meta.dirname, '../../server');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

/** Every import of one file of the server by another, types too: paths below `server/`. */
const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(ROOT, from), 'utf8');
  const found = text.matchAll(
    /(?:(?:import|export)\s+(?<names>[^;'"]*?)\s*from\s*|import\s*\(?\s*)'(?<path>\.[^']+)'/g,
  );
  return [...found].map(({ groups }) => ({
    from,
    to: posix.join(posix.dirname(from), groups?.['path'] ?? ''),
    names: groups?.['names'] ?? '',
  }));
});

/** From the ground up. A file imports its own part and what lies on a lower floor; parts of one floor do not meet. */
const FLOORS = [
  ['contract'],
  ['rules'],
  ['base'],
  ['domain'],
  ['config'],
  ['storage', 'integrations'],
  ['runtime'],
  ['http'],
  ['features'],
  ['process'],
];
const PARTS = FLOORS.flat();

function partOf(path: string): string {
  // The type of what every handler is given names configuration and integrations: it stands above them.
  if (path === 'base/runtime.ts' || path === 'base/update-handler.ts') return 'runtime';
  if (path === 'config.ts' || path === 'settings.ts') return 'config';
  // A kind's shape is part of the contract, and so is what page and server decide alike; the rest of a kind is pure.
  if (path.startsWith('kinds/')) return /\/(shape|shapes|rules)\.ts$/.test(path) ? 'contract' : 'domain';
  const [folder = ''] = path.split('/');
  // Whatever puts the parts together: entry files, jobs, commands, plugins, the sandbox.
  return PARTS.includes(folder) ? folder : 'process';
}

const floorOf = (part: string): number => FLOORS.findIndex((parts) => parts.includes(part));
const mayImport = (from: string, to: string): boolean => from === to || floorOf(to) < floorOf(from);
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

const featureOf = (path: string): string | null => /^features\/([^/]+)\//.exec(path)?.[1] ?? null;
type Arrows = Map<string, Set<string>>;
const arrows: Arrows = new Map();
const fileArrows: Arrows = new Map();
for (const { from, to } of imports) {
  fileArrows.set(from, (fileArrows.get(from) ?? new Set()).add(to));
  const [one, other] = [featureOf(from), featureOf(to)];
  if (one === null || other === null || one === other) continue;
  arrows.set(one, (arrows.get(one) ?? new Set()).add(other));
}

/** The shortest way from a feature or file back to itself; null where there is none. */
function circleOf(first: string, arrows: Arrows): string | null {
  const ways = [[first]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? '') ?? []) {
      if (next === first) return [...way, next].join(' → ');
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

describe('the server', () => {
  it('is read whole here: its files and what they import are found', () => {
    expect(imports.length).toBeGreaterThan(600);
    expect(imports.filter(({ to }) => to.endsWith('.ts') && !to.startsWith('..') && !files.includes(to))).toEqual([]);
    expect(PARTS.filter((part) => !files.some((file) => partOf(file) === part))).toEqual([]);
  });

  it('imports only what lies on a lower floor', () => {
    const upward = imports.filter(({ from, to }) => !to.startsWith('..') && !mayImport(partOf(from), partOf(to)));
    expect(upward.map(shown)).toEqual([]);
  });

  it('has no circle among its features', () => {
    const circles = [...arrows.keys()].map((feature) => circleOf(feature, arrows));
    expect(circles.filter((circle) => circle !== null)).toEqual([]);
  });

  it('has no circle among its files, types too', () => {
    const circles = files.map((file) => circleOf(file, fileArrows));
    expect(circles.filter((circle) => circle !== null)).toEqual([]);
  });

  it('has the ledger as the ground floor of its features', () => {
    expect([...(arrows.get('ledger') ?? [])]).toEqual([]);
  });

  it('writes points in one place, where what follows from them is given', () => {
    const writers = imports.filter(({ to, names }) => to === 'features/ledger/record.ts' && /\brecord\b/.test(names));
    expect(writers.map(({ from }) => from)).toEqual(['features/awards/record.ts']);
  });

  it('knows nothing of the sandbox, which knows nothing of it but the contract', () => {
    const crossing = imports.filter(({ from, to }) => from.startsWith('sandbox/') !== to.startsWith('sandbox/'));
    expect(crossing.filter(({ from, to }) => from !== 'start.ts' && !to.startsWith('contract/')).map(shown)).toEqual(
      [],
    );
  });
});
