// @ts-check
/**
 * Breaks the built product on purpose, in real browsers, and counts in the database what arrived.
 *
 *   npm run faults -- [--engine chromium|firefox|webkit]... [--case NAME]... [--peers] [--json FILE]
 *
 * Prints one table per engine and ends with 1 when anything was lost, stored twice, or stored as another member's.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['chromium', 'firefox'] },
    case: { type: 'string', multiple: true, default: [] },
    peers: { type: 'boolean', default: false },
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
