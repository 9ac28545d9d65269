import type { Evidence } from '../contract/claims.ts';
import { postIdOf } from '../contract/x-post.ts';
import { storedHref, webAddress } from './web-address.ts';

/**
 * Whether the member's own words or choices in `sent` would be lost to the stored claim. The same answer sent again
 * does not differ, however the server stored it.
 */
export const differs = (sent: Evidence | null, stands: Evidence | null): boolean =>
  sent !== null && stands !== null && textIn(sent) !== textIn(stands);

function textIn(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'submit_text':
      return lines(evidence.text);
    case 'submit_url': {
      const url = webAddress(evidence.url);
      return `${url && storedHref(url)} ${lines(evidence.note)}`;
    }
    case 'submit_image':
      return `${evidence.imageId} ${lines(evidence.note)}`;
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return postIdOf(evidence.url);
    case 'poll':
      return evidence.optionIds.toSorted().join(' ');
    case 'number':
    case 'scale':
      return String(evidence.value);
    case 'date':
      return evidence.date;
    case 'file':
      return `${evidence.fileId} ${lines(evidence.note)}`;
    case 'partner':
      return evidence.answer ?? '';
    default:
      return '';
  }
}
const lines = (text = ''): string => text.replaceAll('\r\n', '\n');
