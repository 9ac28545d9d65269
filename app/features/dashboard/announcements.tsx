import './announcements.css';
import type { Announcement } from '../../../server/contract/rooms.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Icon } from '../../ui/icon.tsx';

/** Whether it is pinned at `now`, epoch ms. */
export const isPinned = ({ pinnedUntil }: Announcement, now: number): boolean =>
  pinnedUntil !== null && Date.parse(pinnedUntil) > now;

/** The leaders' announcements, each a line that opens. */
export function Announcements(props: { announcements: readonly Announcement[] }) {
  return (
    <ul className="stack" aria-label={m.member_announcements()}>
      {props.announcements.map(({ id, title, body, by, at }) => (
        <li key={id}>
          <details className="card announcement">
            <summary>
              <Icon name="announce" />
              <b>{title}</b>
              <Icon name="down" size={16} />
            </summary>
            <p className="written-text">{body}</p>
            <p className="text-tiny text-muted">{m.member_by_at({ who: by, when: whenWord(at) })}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}
