/**
 * What `/sw.js` becomes under `SERVICE_WORKER=off`: it takes over from whatever worker a device has, clears what that
 * cached of the network, and removes itself. The device's database stays: unsent commands and logs lie there.
 */
export {};

declare const self: ServiceWorkerGlobalScope;

async function clearAndLeave(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(clearAndLeave()));
