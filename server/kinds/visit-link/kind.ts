import { HttpError } from '../../base/http-error.ts';
import { LINK_MAX } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { webAddress } from '../../domain/web-address.ts';
import { approved, check } from '../judged.ts';
import type { Kind } from '../kind.ts';

const NO_WEB_ADDRESS = `A link begins with https:// or http://, names a site as example.org without a password, and has at most ${LINK_MAX} characters.`;

export const visitLink: Kind<'visit_link'> = {
  check(setup) {
    const url = webAddress(setup.url);
    if (url === null)
      throw new HttpError(422, 'URL_NOT_ALLOWED', NO_WEB_ADDRESS, {
        details: { field: 'setup.url', needs: 'web' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
      });
    return { ...setup, url: url.href };
  },
  ask: ({ kind, url }) => ({ kind, url }),
  judge: (_, evidence) =>
    approved(evidence, [check('link', null, `Opened at ${evidence.openedAt}, as the device says`)]),
  imported: {
    words: ['visit', 'visit_url'],
    bare: (link) =>
      /^https?:\/\/\S+$/.test(link) && URL.canParse(link) && link.length <= LINK_MAX
        ? { kind: 'visit_link', url: link }
        : null,
  },
};
