import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const TEXT = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest']);
/** `name-XXXXXXXX.ext`: the eight characters are made of the content. */
const HASHED = /^(.+-)([\w-]{7,8})(\.\w+)$/;

/** Another hash of the same length, the same for the same file and step. */
const nextHash = (hash: string, step: number): string =>
  [...hash]
    .map((char) => (/[a-z0-9]/i.test(char) ? String.fromCharCode(97 + ((char.charCodeAt(0) + step) % 26)) : 'q'))
    .join('');

export type NextBuild = { name: string; dist: string; remove(): void };

/**
 * What a deploy of changed sources leaves: the built product under another build's name, in which every hashed file has
 * another name, every reference follows, and nothing of the earlier build is left. A real second build takes a minute.
 */
export function nextBuild(step = 1): NextBuild {
  const base = join(root, 'node_modules/.tmp');
  mkdirSync(base, { recursive: true });
  const dist = mkdtempSync(join(base, 'next-'));
  cpSync(join(root, 'dist'), dist, { recursive: true, filter: (path) => !/\.br$/.test(path) });
  const client = join(dist, 'client');
  const main = readFileSync(join(dist, 'server/main.js'), 'utf8');
  const worker = readFileSync(join(client, 'sw.js'), 'utf8');
  const own = [...new Set(main.match(/\b[0-9a-f]{12}\b/g))].find((word) => worker.includes(word));
  const shell = worker.match(/\b[0-9a-f]{16}\b/)?.[0];
  if (!own || !shell) throw new Error('The build does not name itself as it used to');
  const name = `${own.slice(0, -2)}e${step}`;
  const renames = new Map([
    [own, name],
    [shell, `${shell.slice(0, -2)}e${step}`],
  ]);
  const assets = join(client, 'assets');
  for (const file of readdirSync(assets)) {
    const [, stem, hash, end] = HASHED.exec(file) ?? [];
    if (!stem || !hash || !end) continue;
    const renamed = `${stem}${nextHash(hash, step)}${end}`;
    renameSync(join(assets, file), join(assets, renamed));
    renames.set(file, renamed);
    renames.set(file.slice(0, -end.length), renamed.slice(0, -end.length));
  }
  const maps = join(dist, 'maps');
  for (const file of existsSync(maps) ? readdirSync(maps, { recursive: true, encoding: 'utf8' }) : []) {
    const renamed = renames.get(basename(file, '.map'));
    if (renamed) renameSync(join(maps, file), join(maps, dirname(file), `${renamed}.map`));
  }
  const pattern = new RegExp(
    [...renames.keys()]
      .sort((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'g',
  );
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    // Code stands elsewhere in the next build; its map says where.
    if (path.startsWith(maps)) writeFileSync(path, readFileSync(path, 'utf8').replace('"mappings":"', '"mappings":";'));
    if (!TEXT.has(extname(entry.name))) continue;
    const text = readFileSync(path, 'utf8').replace(pattern, (found) => renames.get(found) ?? found);
    writeFileSync(path, path.startsWith(client) && entry.name.endsWith('.js') ? `/* next */\n${text}` : text);
  }
  if (!existsSync(join(dist, 'server/start.js'))) throw new Error('There is no built server');
  return { name, dist, remove: () => rmSync(dist, { recursive: true, force: true }) };
}
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
