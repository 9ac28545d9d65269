import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Activity } from '../../../server/contract/activity.ts';
import { LATELY_SHOWN } from '../../../server/contract/limits.ts';
import { number, stampTime } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { BADGE_WORDS } from '../../shared/boards/badge-words.ts';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, ListRow, SectionHead } from '../../ui/card.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Empty } from '../../ui/states.tsx';

const pageOf = (communityId: string, after?: string) =>
  read('GET /api/communities/:communityId/activity', { communityId }, after === undefined ? undefined : { after });

/** Recent activity of the community's members: the latest few, and all of it in a sheet. */
export function RecentActivity({ communityId }: { communityId: string }) {
  const reading = pageOf(communityId);
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const usePage = (after: string | undefined) => useQuery(pageOf(communityId, after));
  // One panel among many: a failed read draws nothing.
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <>
      <SectionHead title={m.activity_title()} end={<AsOf at={asOf} onRetry={() => query.refetch()} />} />
      <Card>
        <Rows items={query.data.items.slice(0, LATELY_SHOWN)} />
      </Card>
      <p className="after-list">
        <Button kind="words" onClick={() => setOpen(true)}>
          {m.activity_all()}
        </Button>
      </p>
      <Sheet title={m.activity_title()} open={open} onClose={close}>
        <Pages usePage={usePage}>
          {({ items }, isFirst) =>
            items.length === 0 ? (
              isFirst && <Empty title={m.activity_none()} line={m.activity_none_line()} />
            ) : (
              <Rows items={items} />
            )
          }
        </Pages>
      </Sheet>
    </>
  );
}

function Rows({ items }: { items: readonly Activity[] }) {
  return (
    <ul className="ruled-list">
      {items.map((item) => (
        <li key={`${item.kind} ${item.id}`}>
          <ListRow
            lead={<PersonAvatar name={item.displayName} />}
            title={lineOf(item)}
            line={stampTime(item.at)}
            end=" "
          />
        </li>
      ))}
    </ul>
  );
}

function lineOf(item: Activity): string {
  const what = sentenceOf(item);
  return item.level === null ? what : m.activity_level({ what, level: number(item.level) });
}

function sentenceOf({ kind, me, displayName: who, task, badge }: Activity): string {
  if (kind === 'counted') {
    const params = { task: task ?? '' };
    return me ? m.activity_counted_you(params) : m.activity_counted({ who, ...params });
  }
  if (kind === 'badge' && badge !== null) {
    const params = { badge: BADGE_WORDS[badge].name() };
    return me ? m.activity_badge_you(params) : m.activity_badge({ who, ...params });
  }
  return me ? m.activity_joined_you() : m.activity_joined({ who });
}
