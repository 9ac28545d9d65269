import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../../server/contract/campaigns.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Pages } from '../../../ui/pages.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ForAdmins } from '../for-admins.tsx';
import { InstanceComposer } from './instance-composer.tsx';
import { SentAnnouncement } from './sent-announcement.tsx';

/** `/admin/announcements`: announcements to everyone on the instance, and their results; live only. */
export function AnnouncementsScreen() {
  const [changing, setChanging] = useState<Campaign | null>(null);
  const list = useListFocus<HTMLDivElement>();
  const usePage = (after: string | undefined) =>
    useQuery({ ...read('GET /api/admin/campaigns', undefined, { after }), staleTime: 0, gcTime: 0 });
  return (
    <Screen title={m.desk_announce()} lead={m.desk_announce_lead()} back={{ to: '/admin', label: m.ops_title() }}>
      <div ref={list}>
        <Pages usePage={usePage} reading={ForAdmins}>
          {({ items }, isFirst) => (
            <>
              {isFirst && (
                <>
                  <InstanceComposer key={changing?.id ?? 'new'} changing={changing} onDone={() => setChanging(null)} />
                  <SectionHead title={m.desk_announce_sent()} />
                </>
              )}
              {items.length === 0 ? (
                isFirst && <Empty title={m.push_campaigns_none()} line={m.desk_announce_none_line()} />
              ) : (
                <ul className="stack">
                  {items.map((one) => (
                    <li key={one.id} data-row>
                      <SentAnnouncement campaign={one} onChange={() => setChanging(one)} />
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
        </Pages>
      </div>
    </Screen>
  );
}
