/**
 * Collects messages of the service worker and other tabs from the page's first moment: a member who signs out while it
 * starts must not stay on screen. Messages wait for the listener.
 */
import { DEVICE_CHANNEL, type SwBroadcast } from '../../server/contract/sw-messages.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { openChannel } from './browser.ts';

export type News = SwBroadcast | DeviceEvent;

const stored: News[] = [];
let take: (news: News) => void = (news) => void stored.push(news);
openChannel(DEVICE_CHANNEL).addEventListener('message', ({ data }: MessageEvent<News>) => take(data));

/** Sends every later message to `listener` and answers the earlier ones. One listener a page. */
export function onNews(listener: (news: News) => void): News[] {
  take = listener;
  return stored.splice(0);
}
