/** Workbox's BackgroundSyncPlugin, called as its NetworkOnly strategy calls it. */
import { BackgroundSyncPlugin } from 'workbox-background-sync';

type FetchEventLike = Event & { request: Request; respondWith(answer: Promise<Response>): void };

const plugin = new BackgroundSyncPlugin('entries', { maxRetentionTime: 24 * 60 });
addEventListener('install', () => void (globalThis as unknown as { skipWaiting(): Promise<void> }).skipWaiting());
addEventListener('activate', (event) => {
  const { clients } = globalThis as unknown as { clients: { claim(): Promise<void> } };
  (event as Event & { waitUntil(work: Promise<void>): void }).waitUntil(clients.claim());
});
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchEventLike;
  if (request.method !== 'POST') return;
  const answer = async () => {
    try {
      return await fetch(request.clone());
    } catch (error) {
      await plugin.fetchDidFail?.({ request, error: error as Error, originalRequest: request, event: event as never });
      throw error;
    }
  };
  respondWith.call(event, answer());
});
