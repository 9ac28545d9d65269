import { useEffect, useState } from 'react';
import type { MyCommunity } from '../../server/contract/communities.ts';
import { cachedCopy } from '../lib/http.ts';
import { read } from '../lib/query.ts';
import { urlOf } from '../lib/query-keys.ts';
import type { Target } from '../lib/target.ts';
import { m } from '../paraglide/messages.js';
import { Anchor } from './button.tsx';
import { Icon } from './icon.tsx';

const SHOWN = 6;

/** Links to pages that have copies on this device; nothing without any. */
export function OnDevice() {
  const [pages, setPages] = useState<LinkTarget[]>([]);
  useEffect(() => {
    let isGone = false;
    void copiedPages()
      .catch(() => [])
      .then((found) => !isGone && setPages(found));
    return () => {
      isGone = true;
    };
  }, []);
  if (pages.length === 0) return null;
  return (
    <section className="kept-pages">
      <h2>{m.shell_on_device()}</h2>
      <ul>
        {pages.map(({ link, words }) => (
          <li key={words}>
            <Anchor {...link}>
              <Icon name="phone" />
              {words}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}

type LinkTarget = { link: Target; words: string };
async function copiedPages(): Promise<LinkTarget[]> {
  const has = async (reading: { queryKey: readonly unknown[] }) => (await cachedCopy(urlOf(reading.queryKey))) !== null;
  const copy = await cachedCopy(urlOf(read('GET /api/user/communities').queryKey));
  const mine = copy ? ((await copy.json()) as MyCommunity[]) : [];
  const found = await Promise.all([
    ...mine.slice(0, SHOWN).map(async ({ slug, name }) => ({
      link: { to: '/community/$communityId/dashboard', params: { communityId: slug } } satisfies Target,
      path: `/community/${slug}/dashboard`,
      words: m.shell_today_in({ today: m.shell_today(), community: name }),
      isCopied: await has(read('GET /api/communities/:communityId/dashboard', { communityId: slug })),
    })),
    has(read('GET /api/communities')).then((isCopied) => ({
      link: { to: '/explore-communities' } satisfies Target,
      path: '/explore-communities',
      words: m.shell_explore(),
      isCopied,
    })),
  ]);
  return found.filter(({ path, isCopied }) => isCopied && path !== location.pathname);
}
