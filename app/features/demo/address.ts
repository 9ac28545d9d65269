/** The demo's addresses: `/demo?screen=/community/x/dashboard&role=member` shows a screen of the product. Pure. */
export type DemoRole = 'member' | 'leader';
export type DemoStart = { screen: string; role: DemoRole };

const DEMO = '/demo';
/** The demo's first screen, for each role. */
export const FIRST: Record<DemoRole, string> = {
  member: '/community/ridge-valley-walkers/dashboard',
  leader: '/community/ridge-valley-walkers/admin?room=review',
};

/** Paths of the product's screens that work in the demo. */
const SHOWN = [
  /^\/$/,
  /^\/(communities|community-selector|explore-communities|no-communities|leaderboard|profile|profile-accounts)\/?$/,
  /^\/(engagement-complete|ai-assistant|ai-tools|web3-quiz|platform-exploration)\/?$/,
  /^\/ai-defi-tools(\/[^/]+)?\/?$/,
  /^\/(learn-more|how-to-use|community-guidelines|privacy-policy|terms|cookie-policy|[a-z0-9-]+-ai)\/?$/,
  /^\/community\/[^/]+(\/(dashboard|admin))?\/?$/,
  /^\/(?!admin\/|api\/)[^/]+\/(dashboard|admin)\/?$/,
];
const pathOf = (href: string): string => href.split(/[?#]/, 1)[0] ?? '';

/** Whether the demo has a screen, by its path with or without query. */
export const isShown = (href: string): boolean => SHOWN.some((pattern) => pattern.test(pathOf(href)));

/** The demo router's location for a screen: the screen, or the page about what the demo lacks. */
export const locationOf = (screen: string): string =>
  isShown(screen) || pathOf(screen) === DEMO ? screen : `${DEMO}?page=${encodeURIComponent(screen)}`;

/** The screen and role in a demo address; by default the first screen. */
export function demoStartOf(search: string, hash = ''): DemoStart {
  const query = new URLSearchParams(search);
  const role = query.get('role') === 'leader' ? 'leader' : 'member';
  const named = query.get('screen');
  const screen = named?.startsWith('/') && !named.startsWith('//') ? named : FIRST[role];
  return { screen: `${screen}${hash}`, role };
}

/** A screen's shareable address. It stays readable, because a query may contain slashes. */
export function addressOf({ screen, role }: DemoStart): string {
  const [path = '', hash] = screen.split('#');
  const page = pathOf(path) === DEMO ? (new URLSearchParams(path.split('?')[1]).get('page') ?? FIRST[role]) : path;
  const query = `screen=${encodeURIComponent(page).replaceAll('%2F', '/')}&role=${role}`;
  return `${DEMO}?${query}${hash === undefined ? '' : `#${hash}`}`;
}
