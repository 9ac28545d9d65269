/**
 * Address of the community whose leader tools the bars led to last: they are drawn with them from the first paint, before
 * the list of communities is there. Kept on the device alone, and forgotten with the member (`lib/hints.ts`).
 */
import { local } from '../../lib/browser.ts';

const KEY = 'muster-led';

export const ledBefore = (): string | null => local.get(KEY);
export const rememberLed = (slug: string | null): void => void local.set(KEY, slug);
