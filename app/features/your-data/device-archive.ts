import { addToZip, emptyZip, type ZipEntry, zipEnd, zipEntry } from '../../../server/rules/zip.ts';
import { isBytes } from '../../../worker/schema.ts';
import { cachesHere, local } from '../../lib/browser.ts';
import { device } from '../../lib/device.ts';

const COPY_CACHES = 'private-';

/** Server answers among this device's copies, by address. */
async function copies(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const storage = cachesHere();
  for (const name of (await storage?.keys().catch(() => [])) ?? []) {
    if (!name.startsWith(COPY_CACHES)) continue;
    const cache = await storage?.open(name);
    for (const request of (await cache?.keys()) ?? []) {
      const answer = await cache?.match(request);
      const { pathname, search } = new URL(request.url);
      if (answer) found[pathname + search] = await answer.text();
    }
  }
  return found;
}

/** All of a member's data on this device: unsent commands with pictures, error logs, drafts, cached pages. */
export async function deviceFiles(userId: string, at: Date): Promise<ZipEntry[]> {
  const stored = await device.everything(userId);
  const pictures: ZipEntry[] = [];
  const outbox = await Promise.all(
    stored.outbox.map(async (entry) => {
      const { body } = entry;
      const bytes = body instanceof Blob ? await body.arrayBuffer() : isBytes(body) ? body.bytes : null;
      if (!bytes) return entry;
      const name = `device/pictures/${entry.id}`;
      pictures.push({ name, bytes: new Uint8Array(bytes), at });
      return { ...entry, body: name };
    }),
  );
  const hints = Object.fromEntries(local.keys().map((key) => [key, local.get(key)]));
  const all = {
    format: 'muster-device-1',
    at: at.toISOString(),
    ...stored,
    outbox,
    localStorage: hints,
    copies: await copies(),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(all, null, 1)}\n`);
  return [{ name: 'device.json', bytes, at }, ...pictures];
}

/** An archive of this device's data, without a request. */
export async function deviceArchive(userId: string, at: Date): Promise<Blob> {
  const zip = emptyZip();
  const parts = (await deviceFiles(userId, at)).map((file) => zipEntry(zip, file));
  return new Blob([...parts, zipEnd(zip)], { type: 'application/zip' });
}

export async function withDevice(archive: Blob, userId: string, at: Date): Promise<Blob> {
  let whole = archive;
  for (const file of await deviceFiles(userId, at)) whole = await addToZip(whole, file);
  return whole;
}
