import { isIP } from 'node:net';
import { isLoopbackHttp } from './loopback.ts';
import { secretOf } from './secret-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigProblem = { name: string; problem: string; example: string };

/** What is wrong with a value, said after the setting's name; `example` where a better one is known than the setting's own. */
class Wrong {
  readonly problem: string;
  readonly example: string | undefined;

  constructor(problem: string, example?: string) {
    this.problem = problem;
    this.example = example;
  }
}

/** What a given value means, or what is wrong with it. */
type Form<T> = (value: string, production: boolean) => T | Wrong;

type About = {
  /** For the operator, in Markdown: what it is for. */
  meaning: string;
  example: string;
  /** What holds where it is left out, where `fallback` does not say it. */
  otherwise?: string;
  /** Never shown, and read from a file as well. */
  secret?: true;
};
export type Setting<T = unknown> = About & { form: Form<T>; fallback: T };
type Group = Readonly<Record<string, Setting>>;
export type Values<S extends Group> = { [N in keyof S]: S[N] extends Setting<infer T> ? T : never };

/** One setting: how a value is read, and what people are told of it. Without `fallback` it is null where it is left out. */
export function setting<T>(
  form: Form<T>,
  about: Omit<About, 'example'> & { example?: string; fallback: NoInfer<T> },
): Setting<T>;
export function setting<T>(form: Form<T>, about: About): Setting<T | null>;
export function setting<T>(form: Form<T>, about: Omit<About, 'example'> & { example?: string; fallback?: T }) {
  const { fallback = null } = about;
  return { ...about, form, fallback, example: about.example ?? shown(fallback) };
}

/** A value as it is written in the environment. */
export const shown = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value ?? '');

/** Reads settings, and collects what is wrong with them: a wrong one is read as if it were not given. An empty one is not given. */
export function readSettings<S extends Group>(settings: S, env: Environment) {
  const problems: ConfigProblem[] = [];
  const production = env['NODE_ENV'] === 'production';
  const refuse = (name: keyof S & string, problem: string, example = settings[name]?.example ?? '') =>
    void problems.push({ name, problem, example });
  const find = (name: string): string | null => {
    const found = settings[name]?.secret ? secretOf(name, env) : env[name]?.trim() || null;
    if (typeof found !== 'object' || found === null) return found;
    problems.push(found);
    return null;
  };
  const texts = new Map(Object.keys(settings).map((name) => [name, find(name)]));
  const isGiven = (name: keyof S & string) => texts.get(name) !== null;
  const read = (name: string, { form, fallback }: Setting): unknown => {
    const text = texts.get(name) ?? null;
    const value = text === null ? fallback : form(text, production);
    if (!(value instanceof Wrong)) return value;
    refuse(name, value.problem, value.example);
    return fallback;
  };
  const values = Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, read(name, one)]));
  return {
    values: values as Values<S>,
    production,
    problems,
    refuse,
    isGiven,
    /** `needed` must be given when `present` is. */
    pair(needed: keyof S & string, present: keyof S & string): void {
      if (isGiven(present) && !isGiven(needed)) refuse(needed, `is needed beside ${present}`);
    },
  };
}

export const LAST_PORT = 65_535;

export const any: Form<string> = (value) => value;

export const text =
  (form: RegExp, problem: string): Form<string> =>
  (value) =>
    form.test(value) ? value : new Wrong(problem);

const whole =
  (from: number, to: number, problem: string): Form<number> =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to ? Number(value) : new Wrong(problem);

export const number = (from: number, to: number) => whole(from, to, `must be ${from} to ${to}`);
export const port = whole(1, LAST_PORT, `must be a port from 1 to ${LAST_PORT}`);
export const megabytes = whole(1, 9_999_999, 'must be 1 to 9999999 megabytes');

const FLAGS: Record<string, boolean> = { on: true, true: true, 1: true, off: false, false: false, 0: false };
export const flag: Form<boolean> = (value) => FLAGS[value.toLowerCase()] ?? new Wrong('must be on or off');

export const oneOf =
  <const T extends string>(...values: readonly T[]): Form<T> =>
  (value) =>
    values.find((one) => one === value) ?? new Wrong(`must be one of ${values.join(', ')}`);

const partsOf = (value: string): string[] => value.split(',').flatMap((part) => part.trim() || []);

/** Parts with commas between them. */
export const list =
  (isPart: (part: string) => boolean, problem: string): Form<string[]> =>
  (value) =>
    partsOf(value).every(isPart) ? partsOf(value) : new Wrong(problem);

export const hosts: Form<string[]> = (value, production) =>
  list((host) => /^[a-z0-9.-]+(:\d+)?$/.test(host), 'must be host names with commas between them')(
    value.toLowerCase(),
    production,
  );

function isNetwork(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** Addresses, or networks as `10.0.0.0/8`. */
export const networks = list(isNetwork, 'must be addresses or networks with commas between them');

/** Https, or http on this computer's own names. */
export const origins = list(
  (origin) =>
    URL.canParse(origin) &&
    new URL(origin).origin === origin &&
    (origin.startsWith('https:') || isLoopbackHttp(new URL(origin))),
  'must be https origins with commas between them',
);

/** An address to listen on. An IPv6 address has brackets in a URL, but not when listening. */
export const listening: Form<string> = (value) =>
  /^(\[[\da-f:.]+\]|[\w.:-]+)$/i.test(value)
    ? value.replace(/^\[(.*)\]$/, '$1')
    : new Wrong('must be an address to listen on');

/** An address that `who` may write to. */
export const contact =
  (who: string): Form<string> =>
  (value) =>
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value)
      ? value
      : new Wrong(`must be a mailto: or https: address that ${who}`);

const isLocal = (address: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);

function webUrl(value: string, production: boolean): URL | Wrong {
  const address = URL.canParse(value) ? new URL(value) : null;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password)
    return new Wrong('must be an http or https address');
  if (production && address.protocol !== 'https:' && !isLocal(address))
    return new Wrong('must start with https:// in production');
  return address;
}

const withoutSlash = (address: URL) => address.href.replace(/\/$/, '');

/** An address of an outside service, without the slash at its end. */
export const url: Form<string> = (value, production) => {
  const address = webUrl(value, production);
  return address instanceof Wrong ? address : withoutSlash(address);
};

/** Scheme, host and port only. */
export const origin: Form<string> = (value, production) => {
  const address = webUrl(value, production);
  if (address instanceof Wrong) return address;
  if (address.pathname === '/' && !address.search && !address.hash) return address.origin;
  return new Wrong('must be an origin, without a path', address.origin);
};

/** An address of the open internet, which is called by the rules of `integrations/outward`. */
export const outside: Form<string> = (value) => {
  const address = URL.canParse(value) ? new URL(value) : null;
  const { protocol, port, username, password, search, hash } = address ?? {};
  if (address && protocol === 'https:' && !port && !username && !password && !search && !hash)
    return withoutSlash(address);
  return new Wrong('must be an https address without a port, as the open internet has it');
};

/** The same for an address that is posted to: its query may hold its secret. */
export const hook: Form<string> = (value) => {
  const address = URL.canParse(value) ? new URL(value) : null;
  const { protocol, port, username, password, hash } = address ?? {};
  if (address && protocol === 'https:' && !port && !username && !password && !hash) return address.href;
  return new Wrong('must be an https address without a port, as the open internet has it');
};

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * The whole value is a secret: a password with a character that URLs must escape is rejected here, because a later
 * parser would quote it in its error.
 */
export const databaseUrl: Form<string> = (value) =>
  /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) && isDecodable(value)
    ? value
    : new Wrong('must be the URL of a PostgreSQL database, with / ? # % in its password written as %2F %3F %23 %25');
