/**
 * Slug of the community whose leader tools the bars last linked to: the first paint has them before the list of
 * communities loads. Stored on the device only, and deleted with the member (`lib/hints.ts`).
 */
import { local } from '../../lib/browser.ts';

const KEY = 'muster-led';

export const lastReviewed = (): string | null => local.get(KEY);
export const rememberReviewed = (slug: string | null): void => void local.set(KEY, slug);
