// @ts-check
/**
 * Breaks the built product on purpose, in real browsers, and counts in the database what arrived.
 *
 *   npm run faults -- [--engine chromium|firefox|webkit]... [--case NAME]... [--broken MISTAKE] [--json FILE]
 *
 * `--broken` builds the product with a mistake in it first (delete-before-send, new-id-each-time): what a harness must find.
 * Prints one table per engine and ends with 1 when anything was lost, stored twice, or stored as another member's.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    case: { type: 'string', multiple: true, default: [] },
    broken: { type: 'string' },
    json: { type: 'string' },
  },
});
const { module } = await runnerImport(resolve(import.meta.dirname, 'main.ts'), {
  configFile: false,
  logLevel: 'error',
  root: resolve(import.meta.dirname, '../..'),
  define: { __BUILD__: '"test"' },
});
process.exit(await /** @type {{ faults(options: typeof values): Promise<number> }} */ (module).faults(values));
