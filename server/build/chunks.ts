import type { Rolldown } from 'vite';

type Roots = {
  /** The pages that the build pre-renders, for first-time visitors. */
  drawn: string[];
  /** What every page loads after its first paint. */
  behind: string[];
  /** What members open daily. */
  member: string[];
};

const GUIDES = 'virtual:guides';
const GUIDES_HOME = '/contract/guides.ts';
const WORDS = '/paraglide/messages';

/**
 * How the client is cut into scripts. A request costs more than some kilobytes that another screen needs, most of all where
 * the service worker answers it: what every page begins with is one script, what it goes on with a second, and what screens
 * share lies in a few. Screens themselves stay their own. Their stylesheets, one a component, are few as well: one for every
 * page, one for the drawn pages, one for all other screens.
 */
export function chunksOf({ drawn, behind, member }: Roots): Rolldown.CodeSplittingGroup[] {
  const closures = new Map<string, Set<string>>();
  /** What a module imports at once, and so on. All words are imported by one name; whose they are is not seen here. */
  const closureOf = (root: string, context: Rolldown.ChunkingContext): Set<string> => {
    const known = closures.get(root);
    if (known) return known;
    const all = new Set(context.getModuleInfo(root)?.importedIds);
    for (const id of all)
      if (!id.includes(WORDS)) for (const next of context.getModuleInfo(id)?.importedIds ?? []) all.add(next);
    closures.set(root, all);
    return all;
  };
  const isWithin = (roots: string[], id: string, context: Rolldown.ChunkingContext) =>
    !id.includes(WORDS) && roots.some((root) => closureOf(root, context).has(id));
  return [
    { name: 'app', tags: ['$initial'], priority: 4 },
    {
      // Read and searched by few pages. What imports them lies beside them, or other pages would wait for them too.
      name: (id, context) =>
        id.includes(GUIDES) ||
        (!id.endsWith('-screen.tsx') && context.getModuleInfo(id)?.importedIds.some((one) => one.endsWith(GUIDES_HOME)))
          ? 'guides'
          : null,
      priority: 3.5,
    },
    { name: (id, context) => (isWithin(behind, id, context) ? 'behind' : null), priority: 3 },
    {
      // A first-time visitor does not need the other screens' styles.
      name: (id, context) => (id.endsWith('.css') ? (isWithin(drawn, id, context) ? 'drawn' : 'screens') : null),
      priority: 2.5,
    },
    {
      name: (id, context) => (isWithin(drawn, id, context) || id.includes(`${WORDS}/public_`) ? 'drawn' : null),
      minShareCount: 2,
      priority: 2,
    },
    {
      // With all that it imports, so no script waits for one that waits for it. Words import nothing.
      name: (id, context) => (isWithin(member, id, context) || id.includes(WORDS) ? 'shared' : null),
      minShareCount: 2,
      priority: 1,
    },
    { name: (id) => (id.endsWith('-screen.tsx') ? null : 'desk'), minShareCount: 2 },
  ];
}
