import type { Page } from 'playwright-core';

/** One text of the device and where it lies, e.g. `cache private-… /api/auth/user`. */
export type Found = { place: string; text: string };

/** Everything of this origin that a script of it can read: databases, caches, both storages and what is on the screen. */
export function everythingOn(page: Page): Promise<Found[]> {
  return page.evaluate(async () => {
    const found: { place: string; text: string }[] = [];
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, fail) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => fail(request.error);
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await settled(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        for (const row of await settled(db.transaction(store).objectStore(store).getAll()))
          found.push({ place: `db ${name} ${store} ${row.userId ?? ''}`.trim(), text: JSON.stringify(row) });
      db.close();
    }
    for (const name of await caches.keys()) {
      found.push({ place: `cache ${name}`, text: name });
      if (name.startsWith('shell-')) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        const headers = JSON.stringify([...(answer?.headers ?? [])]);
        found.push({ place: `cache ${name}`, text: `${request.url} ${headers} ${await answer?.text()}` });
      }
    }
    for (const storage of [localStorage, sessionStorage])
      for (const [key, value] of Object.entries(storage))
        found.push({ place: storage === localStorage ? 'localStorage' : 'sessionStorage', text: `${key} ${value}` });
    found.push({ place: 'screen', text: `${document.title} ${document.documentElement.outerHTML}` });
    for (const field of document.querySelectorAll('input, textarea'))
      found.push({ place: 'field', text: (field as HTMLInputElement).value });
    return found;
  });
}

/** Places where one of these texts lies, with the text that was found. */
export const placesOf = (everything: Found[], canaries: readonly string[]): string[] => [
  ...new Set(
    everything.flatMap(({ place, text }) =>
      canaries.filter((canary) => text.includes(canary)).map((canary) => `${place}: ${canary}`),
    ),
  ),
];
