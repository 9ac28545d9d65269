import { isIPv4, isIPv6 } from 'node:net';
import { GATED_PAGES, PUBLIC_PAGES } from '../../contract/pages.ts';
import { lru } from '../../domain/lru.ts';

/** What is known of an entry's device. Every value is from a small vocabulary, or null. */
export type Traits = {
  engine: string | null;
  browser: string | null;
  os: string | null;
  display: string | null;
  connection: string | null;
  push: string | null;
  storage: string | null;
};

/** Enough of an address to distinguish networks, not people: /24 of IPv4, /48 of IPv6. */
export function truncatedAddress(address: string): string | null {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return null;
  const [head = '', tail = ''] = (plain.split('%')[0] ?? '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const filled = [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return `${filled.slice(0, 3).join(':')}::/48`;
}

/** In this order: later ones also include the names of earlier ones. */
const BROWSERS: readonly [RegExp, string, string][] = [
  [/\bFxiOS\/(\d{1,4})/, 'Firefox', 'webkit'],
  [/\bCriOS\/(\d{1,4})/, 'Chrome', 'webkit'],
  [/\bEdgiOS\/(\d{1,4})/, 'Edge', 'webkit'],
  [/\bFirefox\/(\d{1,4})/, 'Firefox', 'firefox'],
  [/\bSamsungBrowser\/(\d{1,4})/, 'Samsung Internet', 'chromium'],
  [/\bYaBrowser\/(\d{1,4})/, 'Yandex', 'chromium'],
  [/\bOPR\/(\d{1,4})/, 'Opera', 'chromium'],
  [/\bEdgA?\/(\d{1,4})/, 'Edge', 'chromium'],
  [/\bHeadlessChrome\/(\d{1,4})/, 'Chrome', 'chromium'],
  [/\bChrom(?:e|ium)\/(\d{1,4})/, 'Chrome', 'chromium'],
  [/\bVersion\/(\d{1,4})[\d.]{0,12} (?:Mobile\/\w{1,12} )?Safari\//, 'Safari', 'webkit'],
  [/\bAppleWebKit\/(\d{1,4})/, 'WebKit', 'webkit'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const DISPLAYS = new Set([
  'browser',
  'standalone',
  'minimal-ui',
  'fullscreen',
  'window-controls-overlay',
  'twa',
  'tma',
]);
const CONNECTIONS = new Set(['slow-2g', '2g', '3g', '4g', '5g', 'wifi', 'cellular', 'ethernet', 'none', 'offline']);
const PERMISSIONS = new Set(['granted', 'denied', 'default', 'unsupported']);
const STORAGES = new Set(['durable', 'refused', 'full', 'lost', 'memory', 'persistent', 'best-effort']);

type Data = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a value under any of these names. */
export type FieldReader = (...names: string[]) => unknown;
const SECTIONS = ['context', 'environment', 'deviceState', 'additionalData', 'data'];

/** Releases differ in where they put a value; the first section that has it counts. */
export function fieldReader(data: Data): FieldReader {
  const sections: Data[] = [data];
  for (const name of SECTIONS) {
    const section = data[name];
    if (isRecord(section)) sections.push(section);
  }
  const connection = isRecord(data['context']) ? data['context']['connection'] : null;
  if (isRecord(connection)) sections.push(connection);
  return (...names) => {
    for (const section of sections)
      for (const name of names) if (section[name] !== undefined && section[name] !== null) return section[name];
    return undefined;
  };
}

type Agent = Pick<Traits, 'engine' | 'browser' | 'os'>;
/** The same few hundred browsers send nearly everything. */
const agents = lru<Agent>(500);

const readAgent = (agent: string): Agent => agents.get(agent) ?? agents.set(agent, agentOf(agent));

function agentOf(agent: string): Agent {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent));
  const major = browser?.[0].exec(agent)?.[1];
  return {
    engine: agent === '' ? null : (browser?.[2] ?? 'other'),
    browser: browser && major ? `${browser[1]} ${major}` : null,
    os: SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? null,
  };
}

function word(value: unknown, vocabulary: ReadonlySet<string>): string | null {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return vocabulary.has(text) ? text : null;
}

export function traitsOf(data: Data, userAgent: string | null, field: FieldReader = fieldReader(data)): Traits {
  const agent = userAgent ?? (typeof data['userAgent'] === 'string' ? data['userAgent'] : '');
  const connection = field('connection', 'network');
  const storage = field('storage', 'storageState');
  const kind = isRecord(storage) ? (storage['reason'] ?? storage['kind']) : storage;
  const { engine, browser, os } = readAgent(agent.slice(0, 1_000));
  return {
    engine,
    browser,
    os,
    display: word(field('displayMode', 'display'), DISPLAYS),
    connection: word(
      isRecord(connection) ? (connection['effectiveType'] ?? connection['type']) : connection,
      CONNECTIONS,
    ),
    push: word(field('pushPermission', 'push', 'notificationPermission'), PERMISSIONS),
    storage: word(kind, STORAGES),
  };
}

/**
 * How long the device had been offline, in ms; 0 when only offline is known; null when online or unknown.
 * `offlineSince` and `timestamp` are by the device's clock.
 */
export function offlineOf(data: Data, field: FieldReader = fieldReader(data)): number | null {
  const since = field('offlineSince', 'offline_since');
  const at = Date.parse(typeof data['timestamp'] === 'string' ? data['timestamp'] : '');
  const from = typeof since === 'number' ? since : Date.parse(typeof since === 'string' ? since : '');
  if (!Number.isNaN(at) && !Number.isNaN(from))
    return Math.min(Math.max(0, Math.round(at - from)), 10 * 365 * 86_400_000);
  const length = field('offlineMs');
  if (typeof length === 'number' && length >= 0) return Math.min(Math.round(length), 10 * 365 * 86_400_000);
  return field('online') === false || field('offline') === true ? 0 : null;
}

const PATTERNS = [...PUBLIC_PAGES, ...GATED_PAGES].map((page) => ({
  page: page as string,
  pattern: new RegExp(`^${page.replace(/\{product\}/, '[a-z0-9-]{1,31}').replace(/\{\w+\}/g, '([\\w-]{1,64})')}/?$`),
}));

type Page = { route: string | null; community: string | null };
const pages = lru<Page>(2_000);

/** The page of the specification that a URL or path is, and the community in it. */
export function pageFrom(url: unknown): Page {
  if (typeof url !== 'string' || url.length > 1_000) return { route: null, community: null };
  return pages.get(url) ?? pages.set(url, pageOf(url));
}

function pageOf(url: string): Page {
  const path = url.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]*/i, '').split(/[?#]/)[0] ?? '';
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(path === '' && url !== '' ? '/' : path);
    if (match)
      return { route: page, community: page.includes('{community') ? (match[1]?.toLowerCase() ?? null) : null };
  }
  return { route: null, community: null };
}
