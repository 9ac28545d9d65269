import { isIP } from 'node:net';
import { isLoopbackHttp } from './loopback.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigProblem = { name: string; problem: string; example: string };

export const LAST_PORT = 65_535;
const FLAGS = { on: ['on', 'true', '1'], off: ['off', 'false', '0'] };

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/**
 * Reads settings of each kind, and collects what is wrong with them: a wrong one is read as if it were not given. One long
 * function, because its many small ones share that list.
 */
export function reader(env: Environment) {
  const problems: ConfigProblem[] = [];
  const any = (name: string): string | null => env[name]?.trim() || null;
  const refuse = (name: string, problem: string, example: string) => void problems.push({ name, problem, example });

  const webUrl = (name: string, needsHttps: boolean, example: string): URL | null => {
    const value = any(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
      refuse(name, 'must be an http or https address', example);
    else if (needsHttps && url.protocol !== 'https:' && !isLocal(url))
      refuse(name, 'must start with https:// in production', example);
    else return url;
    return null;
  };

  return {
    problems,
    refuse,
    any,
    text(name: string, form: RegExp, problem: string, example: string): string | null {
      const value = any(name);
      if (value !== null && !form.test(value)) refuse(name, problem, example);
      return value;
    },
    port(name: string, fallback: number): number {
      const value = any(name);
      if (value === null) return fallback;
      const port = Number(value);
      if (/^\d+$/.test(value) && port >= 1 && port <= LAST_PORT) return port;
      refuse(name, 'must be a port from 1 to 65535', String(fallback));
      return fallback;
    },
    megabytes(name: string, fallback: number): number {
      const value = any(name) ?? String(fallback);
      if (!/^[1-9]\d{0,6}$/.test(value)) refuse(name, 'must be 1 to 9999999 megabytes', String(fallback));
      return Number(value);
    },
    number(name: string, { from, to, fallback }: { from: number; to: number; fallback: number }): number {
      const value = any(name);
      if (value === null) return fallback;
      if (/^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to) return Number(value);
      refuse(name, `must be ${from} to ${to}`, String(fallback));
      return fallback;
    },
    /** An address that `who` may write to. */
    contact(name: string, who: string): string | null {
      const value = any(name);
      const isOne = value !== null && /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value);
      if (value !== null && !isOne)
        refuse(name, `must be a mailto: or https: address that ${who}`, 'mailto:admin@muster.example');
      return value;
    },
    flag(name: string): boolean {
      const value = any(name)?.toLowerCase() ?? 'off';
      if (!FLAGS.on.includes(value) && !FLAGS.off.includes(value)) refuse(name, 'must be on or off', 'on');
      return FLAGS.on.includes(value);
    },
    oneOf<const T extends string>(name: string, values: readonly T[], fallback: NoInfer<T>): T {
      const given = any(name) ?? fallback;
      const value = values.find((one) => one === given);
      if (value === undefined) refuse(name, `must be one of ${values.join(', ')}`, fallback);
      return value ?? fallback;
    },
    hosts(name: string): string[] {
      const hosts = (any(name) ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []);
      if (hosts.some((host) => !/^[a-z0-9.-]+(:\d+)?$/.test(host)))
        refuse(name, 'must be host names with commas between them', 'muster.example,www.muster.example');
      return hosts;
    },
    /** Origins with commas between them: https, or http on this computer's own names. */
    origins(name: string, fallback: string): string[] {
      const given = (any(name) ?? fallback).split(',').flatMap((origin) => origin.trim() || []);
      const isOrigin = (text: string) =>
        URL.canParse(text) &&
        new URL(text).origin === text &&
        (text.startsWith('https:') || isLoopbackHttp(new URL(text)));
      if (given.every(isOrigin)) return given;
      refuse(name, 'must be https origins with commas between them', fallback);
      return [fallback];
    },
    /**
     * The whole value is a secret: a password with a character that URLs must escape is rejected here, because a later
     * parser would quote it in its error.
     */
    databaseUrl(): string | null {
      const value = any('DATABASE_URL');
      if (value === null || (/^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) && isDecodable(value)))
        return value;
      refuse(
        'DATABASE_URL',
        'must be the URL of a PostgreSQL database, with / ? # % in its password written as %2F %3F %23 %25',
        'postgres://user:password@localhost:5432/muster',
      );
      return null;
    },
    /** Addresses, or networks as `10.0.0.0/8`. */
    networks(name: string): string[] {
      const networks = (any(name) ?? '').split(',').flatMap((network) => network.trim() || []);
      if (!networks.every(isNetwork))
        refuse(name, 'must be addresses or networks with commas between them', '127.0.0.1,10.0.0.0/8');
      return networks;
    },
    /** An address of an outside service, without the slash at its end. */
    url(name: string, fallback: string, production: boolean): string {
      return (webUrl(name, production, fallback)?.href ?? fallback).replace(/\/$/, '');
    },
    /** An address of the open internet, which is called by the rules of `integrations/outward`. Null: not given. */
    outside(name: string, example: string): string | null {
      const value = any(name);
      const url = value !== null && URL.canParse(value) ? new URL(value) : null;
      if (url?.protocol === 'https:' && !url.port && !url.username && !url.password && !url.search && !url.hash)
        return url.href.replace(/\/$/, '');
      if (value !== null) refuse(name, 'must be an https address without a port, as the open internet has it', example);
      return null;
    },
    /** Scheme, host and port only; `fallback` null means that it must be given. */
    origin(name: string, fallback: string | null, production: boolean): string {
      const example = 'https://muster.example';
      const url = webUrl(name, production, example);
      if (url && (url.pathname !== '/' || url.search || url.hash))
        refuse(name, 'must be an origin, without a path', url.origin);
      if (any(name) === null && fallback === null) refuse(name, 'must be given in production', example);
      return url?.origin ?? fallback ?? example;
    },
    /** `needed` must be given when `present` is. */
    pair(needed: string, present: string, example: string): void {
      if (any(present) !== null && any(needed) === null) refuse(needed, `is needed beside ${present}`, example);
    },
  };
}
