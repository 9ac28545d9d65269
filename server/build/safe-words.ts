import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { routes } from '../contract/routes.ts';

const NAME = 'virtual:safe-words';
const RESOLVED = `\0${NAME}`;
const LABEL_MAX = 32;
/** Names of made-up people, communities and tasks, in files and keys of the catalogue: a real one may be called alike. */
const MADE_UP = /demo|sample/;

/**
 * What may be said of a page without telling anything of its people: the labels of the catalogue, which hold no parameter,
 * and the fixed parts of the API's addresses. Breadcrumbs are made of these alone (`app/features/shell/crumbs.ts`).
 * @param folder of the catalogue
 */
export function safeWords({ folder }: { folder: string }): Plugin {
  return {
    name: 'muster:safe-words',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      // One text each: half the size of a list.
      return `export const labels = ${JSON.stringify(readLabels(folder, (file) => this.addWatchFile(file)).join('\n'))};
export const segments = ${JSON.stringify(apiSegments().join('/'))};`;
    },
  };
}

function readLabels(folder: string, onFile: (file: string) => void): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.en.json') && !MADE_UP.test(name));
  const messages = files.flatMap((name) => {
    const file = join(folder, name);
    onFile(file);
    const all: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    return Object.entries(all).flatMap(([key, message]) => (MADE_UP.test(key) ? [] : [message]));
  });
  return [...new Set(messages.filter(isLabel))].sort();
}
/** A sentence is no label, nor is a part of one; what has a parameter is not only our own words. */
const isLabel = (message: unknown): message is string =>
  typeof message === 'string' && message.length <= LABEL_MAX && /^\p{Lu}[^{}\n]*[^{}\n.?!:]$/u.test(message);

function apiSegments(): string[] {
  const all = Object.keys(routes).flatMap((key) => key.slice(key.indexOf('/')).split('/'));
  return [...new Set(all.filter((segment) => segment !== '' && !segment.startsWith(':')))].sort();
}
