import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/chromium.mjs';

test('Prometheus takes the alert rules', () => {
  const rules = join(import.meta.dirname, '../../server/deploy/monitoring/prometheus-rules.yml');
  // Of Debian's package prometheus.
  const said = execFileSync(needs('promtool'), ['check', 'rules', rules], { encoding: 'utf8' });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});
