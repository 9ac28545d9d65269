/** Pre-renders the public pages to HTML, once a build and without a browser. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { product } from './lib/product.ts';
import { createQueryClient, userQuery } from './lib/query.ts';
import { m } from './paraglide/messages.js';
import { router } from './router.tsx';

/** A page as HTML for its root element. `screen` is its module, whose styles belong to the page. */
type Drawn = { path: string; screen: string; title: string; description: string; markup: string };

const GUIDES = ['/learn-more', '/how-to-use', '/demo'] as const;
const POLICIES = ['/community-guidelines', '/privacy-policy', '/terms', '/cookie-policy'] as const;
const SCREENS = new Map<string, string>([
  ['/', 'landing-screen.tsx'],
  ['/learn-more', 'learn-more-screen.tsx'],
  ['/how-to-use', 'how-to-use-screen.tsx'],
  ['/demo', 'demo-screen.tsx'],
  ...POLICIES.map((path) => [path, 'legal-screen.tsx'] as const),
]);

const queryClient = createQueryClient();

/** Renders every page for a visitor. The server fills names and host into the tokens, as in all HTML. */
export async function drawPages(): Promise<Drawn[]> {
  Object.defineProperty(product, 'name', { value: '%PRODUCT_NAME%' });
  queryClient.setQueryData(userQuery.queryKey, null);
  const pages: Drawn[] = [];
  for (const path of ['/', ...GUIDES, ...POLICIES]) pages.push(await draw(path));
  return pages;
}

async function draw(path: string): Promise<Drawn> {
  // Sign-in links return to their page.
  globalThis.location.pathname = path;
  router.isServer = true;
  router.update({
    ...router.options,
    history: createMemoryHistory({ initialEntries: [path] }),
    // would write a script into the page
    scrollRestoration: false,
  });
  await router.load();
  // Routed as on a server but rendered as in a browser: only then the markup matches what the app hydrates.
  Object.assign(router, { isServer: false, staticLocations: new WeakMap() });
  const markup = renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const title = path === '/' ? m.public_landing_title() : textOf(markup, /<h1>(.*?)<\/h1>/);
  const description = textOf(markup, /<p class="[\w-]+__lead">(.*?)<\/p>/);
  // Our pages' policy forbids style attributes and scripts.
  if (title === '' || description === '' || / style=|<script|aria-busy/.test(markup))
    throw new Error(`${path} was not drawn: ${markup.slice(0, 300)}`);
  return {
    path,
    screen: SCREENS.get(path) ?? '',
    title,
    description,
    markup,
  };
}

const textOf = (markup: string, pattern: RegExp): string => (pattern.exec(markup)?.[1] ?? '').replace(/<[^>]*>/g, '');
