// @ts-check
/** Start-up from a finished build: the first one with `initdb` and all migrations, a later one, and what stays resident. */
import { startInstance, wait } from './instance.mjs';

export async function measure() {
  const first = await startInstance();
  await first.stop();
  const later = await startInstance({ home: first.home });
  await wait(2_000);
  const resident = later.residentMb();
  await later.remove();
  return [
    { metric: 'first start', ours: first.readyMs / 1000, unit: 's', most: 5 },
    { metric: 'later start', ours: later.readyMs / 1000, unit: 's', most: 2 },
    { metric: 'resident, Node and PostgreSQL', ours: resident, unit: 'MB', most: 200 },
  ];
}
