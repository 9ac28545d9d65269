import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInstance } from './instance.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data of an instance after its first start: database, sample communities, keys. Instances of tests begin with a copy. */
    preparedHome: string;
  }
}

/** Nothing here outlives the run, so durability only costs time. */
const LOOSE = ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `${name} = off\n`).join('');

/** The run's one first start of an instance. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instance = await startInstance();
  await instance.stop();
  appendFileSync(join(instance.home, 'postgres/db/postgresql.conf'), LOOSE);
  project.provide('preparedHome', instance.home);
  return () => instance.remove();
}
