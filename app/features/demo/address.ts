/** Addresses of the demo: `/demo?screen=/community/x/dashboard&role=member` shows a screen of the product. Pure. */
export type DemoRole = 'member' | 'leader';
export type DemoStart = { screen: string; role: DemoRole };

const DEMO = '/demo';
/** Where the demo begins, and what the other role looks at first. */
export const FIRST: Record<DemoRole, string> = {
  member: '/community/ridge-valley-walkers/dashboard',
  leader: '/community/ridge-valley-walkers/admin?room=review',
};

/** Screens of the product that work in the demo, by their paths. */
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

/** Where the router of the demo stands for a screen: there, or at the page that says what the demo has not. */
export const locationOf = (screen: string): string =>
  isShown(screen) || pathOf(screen) === DEMO ? screen : `${DEMO}?page=${encodeURIComponent(screen)}`;

/** What an address of the demo shows; where it names nothing, its beginning. */
export function demoStartOf(search: string, hash = ''): DemoStart {
  const query = new URLSearchParams(search);
  const role = query.get('role') === 'leader' ? 'leader' : 'member';
  const named = query.get('screen');
  const screen = named?.startsWith('/') && !named.startsWith('//') ? named : FIRST[role];
  return { screen: `${screen}${hash}`, role };
}

/** The address of a screen, to be sent to somebody: readable, as a query may hold slashes. */
export function addressOf({ screen, role }: DemoStart): string {
  const [path = '', hash] = screen.split('#');
  const page = pathOf(path) === DEMO ? (new URLSearchParams(path.split('?')[1]).get('page') ?? FIRST[role]) : path;
  const query = `screen=${encodeURIComponent(page).replaceAll('%2F', '/')}&role=${role}`;
  return `${DEMO}?${query}${hash === undefined ? '' : `#${hash}`}`;
}
