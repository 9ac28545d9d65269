/**
 * What the service worker and other tabs tell every page, heard from its first moment on: who left while it still began
 * must not stay on its screen. Kept until somebody listens.
 */
import { DEVICE_CHANNEL, type SwBroadcast } from '../../server/contract/sw-messages.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { openChannel } from './browser.ts';

export type News = SwBroadcast | DeviceEvent;

const stored: News[] = [];
let take: (news: News) => void = (news) => void stored.push(news);
openChannel(DEVICE_CHANNEL).addEventListener('message', ({ data }: MessageEvent<News>) => take(data));

/** From now on each goes to `listener`. Answers those that came before. One listener a page. */
export function onNews(listener: (news: News) => void): News[] {
  take = listener;
  return stored.splice(0);
}
