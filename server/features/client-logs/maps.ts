import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Frame } from '../../contract/ops-logs.ts';
import { lru } from '../../domain/lru.ts';
import type { RawFrame } from './stack.ts';

/** Builds whose maps are stored: devices that were offline for long send old stacks. */
const BUILDS_MAX = 30;
/** Parsed maps held in memory; the largest of ours takes about 15 MB so. */
const MAPS_HELD = 6;
const CODE_LINES = 4;
const CODE_LINE_MAX = 240;

/** Maps one frame to the sources, if maps of its release are stored. */
export type Resolve = (frame: RawFrame, release: string | null) => Frame;

/**
 * Copies this build's source maps from the bundler's output to `MUSTER_HOME/maps/<build>`, so its stacks stay readable
 * when a later build runs, and deletes the oldest.
 */
export function storeMaps(from: string, home: string, build: string): void {
  const all = join(home, 'maps');
  if (!existsSync(from)) return;
  mkdirSync(all, { recursive: true });
  const own = join(all, build);
  if (!existsSync(own)) {
    const draft = join(all, `.${build}.${process.pid}`);
    try {
      cpSync(from, draft, { recursive: true });
      renameSync(draft, own);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another process of the same build was first.
      if (!existsSync(own)) throw error;
    }
  }
  const builds = readdirSync(all)
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, at: statSync(join(all, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of builds.slice(BUILDS_MAX))
    if (name !== build) rmSync(join(all, name), { recursive: true, force: true });
}

/** Reads frames by the maps under `MUSTER_HOME/maps`. Maps are read when they are first needed. */
export function mapsUnder(home: string): Resolve {
  const all = join(home, 'maps');
  const maps = lru<TraceMap | 'none'>(MAPS_HELD);
  // Hashed names belong to one content whatever the build; `/sw.js` needs its release.
  const positions = lru<string | 'none'>(2_000);

  function find(path: string, release: string | null): string | null {
    const key = `${release} ${path}`;
    const cached = positions.get(key);
    if (cached !== undefined) return cached === 'none' ? null : cached;
    const builds = existsSync(all) ? readdirSync(all).filter((name) => !name.startsWith('.')) : [];
    const isHashed = path.startsWith('assets/');
    const candidates = builds.filter((name) => name === release || isHashed);
    const found = candidates.map((name) => join(all, name, `${path}.map`)).find((file) => existsSync(file));
    // A build that is not here yet may come: what is missing is looked for again by a later process.
    return positions.set(key, found ?? 'none') === 'none' ? null : (found ?? null);
  }

  function open(file: string): TraceMap | null {
    const cached = maps.get(file);
    if (cached !== undefined) return cached === 'none' ? null : cached;
    try {
      return maps.set(file, new TraceMap(readFileSync(file, 'utf8'))) as TraceMap;
    } catch {
      // A map that cannot be read leaves the frame as the browser wrote it, which the reader sees.
      maps.set(file, 'none');
      return null;
    }
  }

  return (frame, release) => {
    const path = ownPath(frame.file);
    const file = path === null || frame.line === null || frame.column === null ? null : find(path, release);
    const map = file === null ? null : open(file);
    if (!map || frame.line === null || frame.column === null) return asWritten(frame, path !== null);
    const position = originalPositionFor(map, { line: frame.line, column: frame.column - 1 });
    if (position.source === null || position.line === null) return asWritten(frame, true);
    const source = sourceName(position.source);
    const lines = sourceContentFor(map, position.source)?.split('\n') ?? null;
    return {
      original: true,
      inApp: !source.includes('node_modules/') && !source.startsWith('\u0000'),
      function: lines ? functionAround(lines, position.line) : position.name,
      file: source,
      line: position.line,
      column: position.column + 1,
      code: lines ? codeAround(lines, position.line) : null,
    };
  };
}

/** Path of a script of ours, from its URL; null for extensions, other scripts and the browser's own. */
function ownPath(file: string | null): string | null {
  const path = /^(?:https?:\/\/[^/]{1,255})?\/((?:assets\/[\w.-]{1,120}|[\w-]{1,60})\.js)$/.exec(file ?? '')?.[1];
  return path ?? null;
}

const asWritten = (frame: RawFrame, inApp: boolean): Frame => ({
  original: false,
  inApp,
  function: frame.function,
  file: frame.file,
  line: frame.line,
  column: frame.column,
  code: null,
});

/** `../../../app/lib/http.ts` of a map is `app/lib/http.ts` of the repository. */
const sourceName = (source: string): string => source.replace(/^(?:\.{1,2}\/)+/, '').slice(0, 300);

function codeAround(lines: readonly string[], line: number): { start: number; lines: string[] } {
  const start = Math.max(1, line - CODE_LINES);
  return { start, lines: lines.slice(start - 1, line + CODE_LINES).map((text) => text.slice(0, CODE_LINE_MAX)) };
}

const NAMED =
  /^\s*(?:export )?(?:default )?(?:async )?(?:function\*? ?([\w$]+)|(?:const|let|var) ([\w$]+)\b[^=]{0,200}= (?:async )?(?:function|\(|[\w$]+ =>|<)|(?:(?:public|private|static|get|set|async) )*([\w$]+)\s?\([^;]{0,200}\{\s*$|([\w$]+): (?:async )?(?:function|\())/;
const KEYWORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'else', 'do', 'try']);
const LOOKED_UP = 200;

/** Name of the enclosing function: maps name the callee, not the enclosing function. */
function functionAround(lines: readonly string[], line: number): string | null {
  const indentOf = (text: string) => text.length - text.trimStart().length;
  let indent = Number.POSITIVE_INFINITY;
  for (let at = line - 1; at >= Math.max(0, line - LOOKED_UP); at -= 1) {
    const text = (lines[at] ?? '').slice(0, 500);
    if (text.trim() === '') continue;
    const isOutside = indentOf(text) < indent || at === line - 1;
    if (!isOutside) continue;
    indent = Math.min(indent, indentOf(text));
    const name = NAMED.exec(text)?.slice(1).find(Boolean);
    if (name && !KEYWORDS.has(name)) return name;
  }
  return null;
}
