import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { routes } from './contract/routes.ts';

const NAME = 'virtual:safe-words';
const RESOLVED = `\0${NAME}`;
const LABEL_MAX = 32;
/** Words of made-up people and communities: a real one may be called alike. */
const MADE_UP = /demo/;

/**
 * What may be said of a page without telling anything of its people: the labels of the catalogue, which hold no parameter,
 * and the fixed parts of the API's addresses. Breadcrumbs are made of these alone (`app/lib/crumbs.ts`).
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
    return Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  });
  return [...new Set(messages.filter(isLabel))].sort();
}
/** A sentence is no label; what has a parameter is not only our own words. */
const isLabel = (message: unknown): message is string =>
  typeof message === 'string' && message.length <= LABEL_MAX && /^[^{}\n]*[^{}\n.?!:]$/.test(message);

function apiSegments(): string[] {
  const all = Object.keys(routes).flatMap((key) => key.slice(key.indexOf('/')).split('/'));
  return [...new Set(all.filter((segment) => segment !== '' && !segment.startsWith(':')))].sort();
}
