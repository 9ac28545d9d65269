import { roomsInQuery } from '../lib/rooms.ts';
import type { Target } from '../lib/target.ts';
import { Anchor, type LinkProps } from './button.tsx';

/** Links that the server answers, that leave the app, or that load another document. */
const leavesTheApp = (address: string) => /^(https?:|mailto:|tel:|\/api\/|\/demo(?=\?|$))/.test(address);

/** A link to a hand-written address, as in a guide. */
export const AddressLink = ({ address, ...rest }: { address: string } & LinkProps) =>
  leavesTheApp(address) ? <a {...rest} href={address} /> : <Anchor {...rest} {...addressTarget(address)} />;

/** An app address that was unknown at build time, such as one from the server: a path with query and fragment. */
export function addressTarget(address: string): Target {
  const url = new URL(address, globalThis.location.origin);
  const { pathname, searchParams, hash } = roomsInQuery.input({ url }) ?? url;
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) } as unknown as Target;
}
