import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isAt, storedHref, webAddress } from '../../domain/web-address.ts';
import { invalid, linesOf, noteIn, submitted } from '../judged.ts';
import type { Kind } from '../kind.ts';

const HOST = /^(?=.{3,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;

/**
 * A host name as in links, with letters of other scripts as `xn--`: it is compared and shown that way, because
 * look-alike letters differ there. Null for anything else.
 */
function hostOf(text: string): string | null {
  const address = `https://${text}`;
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  // Nothing beside the name: no port, path or password.
  return HOST.test(host) && new URL(address).href === `https://${host}/` ? host : null;
}

export const submitUrl: Kind<'submit_url'> = {
  check(setup) {
    const hosts = setup.hosts.map(
      (host) => hostOf(host) ?? invalid('setup.hosts', 'other', `${host.slice(0, 60)} is no host name`),
    );
    return { ...setup, hosts: [...new Set(hosts)] };
  },
  ask: ({ kind, hosts }) => ({ kind, hosts }),
  judge({ hosts }, evidence) {
    const url = webAddress(evidence.url);
    if (url === null || !isAt(url, hosts)) {
      const where = hosts.length > 0 ? ` at ${hosts.join(', ')}` : '';
      throw new HttpError(422, 'URL_NOT_ALLOWED', `Send a link that begins with https://${where}.`, {
        details: { hosts } satisfies ErrorDetails['URL_NOT_ALLOWED'],
      });
    }
    return submitted({ kind: 'submit_url', url: storedHref(url), ...noteIn(evidence) });
  },
  same: ({ url }) => url,
  compared({ url, note }) {
    const address = webAddress(url);
    return `${address && storedHref(address)} ${linesOf(note)}`;
  },
  exported: ({ url }) => url,
  imported: { words: ['url', 'link'], bare: () => ({ kind: 'submit_url', hosts: [] }) },
};
