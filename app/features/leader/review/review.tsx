import '../../../ui/desk.css';
import { useRef } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { kindNamed } from '../../../kinds/kinds.ts';
import { useOutbox } from '../../../lib/device.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { waitingStill } from '../../../shared/commands/decided-here.ts';
import { Segment } from '../../../ui/segment.tsx';
import { Reading } from '../../../ui/states.tsx';
import { Decisions } from './decisions.tsx';
import { ReviewDesk } from './review-desk.tsx';
import { ReviewFilters } from './review-filters.tsx';
import { countByTask, isNarrowed, type Narrowed, viewQueue } from './review-queue.ts';
import { SentBack } from './sent-back.tsx';
import { useQueue } from './use-queue.ts';

const VIEWS = ['waiting', 'sent-back', 'approved', 'rejected'] as const;
const VIEW_WORDS = {
  waiting: m.leader_view_waiting,
  'sent-back': m.leader_view_sent_back,
  approved: m.leader_view_approved,
  rejected: m.leader_view_rejected,
} as const;

/** Claims waiting for this reviewer, claims waiting for their member, and decided ones. */
export function Review({ community }: { community: CommunitySummary }) {
  const [search, setSearch] = useSearch('/community/$communityId/admin/review');
  const view = VIEWS.find((one) => one === search.show) ?? 'waiting';
  return (
    <>
      <div className="view-switch">
        <Segment
          label={m.leader_views()}
          options={VIEWS.map((value) => ({ value, label: VIEW_WORDS[value]() }))}
          value={view}
          onChange={(value) => setSearch({ show: value === 'waiting' ? null : value })}
        />
      </div>
      {view === 'waiting' ? (
        <Waiting community={community} />
      ) : view === 'sent-back' ? (
        <SentBack communityId={community.id} />
      ) : (
        <Decisions key={view} community={community} state={view} />
      )}
    </>
  );
}

/** The queue with its filters, which are in the address: Today links to one task's or to appeals. */
function Waiting({ community }: { community: CommunitySummary }) {
  const communityId = community.id;
  const searching = useSearch('/community/$communityId/admin/review');
  const [search, setSearch] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const field = useRef<HTMLInputElement>(null);
  const outbox = useOutbox();
  const kind = kindNamed(search.kind);
  const only = search.only === 'appeals' ? 'appeals' : undefined;
  const narrowed: Narrowed = { only, kind, taskId: search.task, search: wanted };
  const { query, queueOf } = useQueue(communityId, narrowed);
  return (
    <Reading query={query}>
      {(copy) => {
        const queue = queueOf(copy);
        const { open } = viewQueue(communityId, queue.all, outbox);
        return (
          <>
            <ReviewFilters
              narrowed={narrowed}
              waiting={waitingStill(communityId, queue.waiting, outbox, queue.seen)}
              byTask={queue.byTask ?? countByTask(open)}
              typed={typed}
              field={field}
              onFind={find}
              onNarrow={setSearch}
            />
            <ReviewDesk
              community={community}
              queue={queue}
              isNarrowed={isNarrowed(narrowed)}
              onSearch={() => field.current?.focus()}
            />
          </>
        );
      }}
    </Reading>
  );
}
