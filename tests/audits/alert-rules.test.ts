import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canPlay } from '../support/programs.ts';

test('Prometheus takes the alert rules', () => {
  // Of Debian's package prometheus.
  if (!canPlay('the alert rules', 'promtool')) return;
  const rules = join(import.meta.dirname, '../../server/deploy/monitoring/prometheus-rules.yml');
  const said = execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});
