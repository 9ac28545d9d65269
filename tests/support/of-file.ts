import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

type Opened = { close(): unknown } | { drop(): unknown } | { remove(): unknown };

/** What all tests of a file share. It is opened as the file is read and ends after its tests, the latest first. */
export async function ofFile<Of extends Opened>(opening: Of | Promise<Of>): Promise<Of> {
  const opened = await opening;
  afterAll(async () => {
    if ('close' in opened) await opened.close();
    else if ('drop' in opened) await opened.drop();
    else await opened.remove();
  });
  return opened;
}

/** An empty folder that goes with the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
