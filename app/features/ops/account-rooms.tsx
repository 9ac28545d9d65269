import './account-rooms.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Application } from '../../../server/contract/members.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import type { AccountRoom } from '../../lib/rooms.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../shared/commands/use-command.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, Quote, SectionHead } from '../../ui/card.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { List } from '../../ui/pages.tsx';
import { type Asking, ReasonDialog } from '../../ui/reason-dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { CommunitiesList } from './communities/communities-list.tsx';
import { CommunityPage } from './communities/community-page.tsx';
import { ForAdmins } from './for-admins.tsx';
import { PartnershipList } from './partnerships/partnership-list.tsx';
import { PeopleList } from './people/people-list.tsx';
import { PersonPage } from './people/person-page.tsx';

type Listed = Application & { userId: string; displayName: string };
type Decision = { decision: 'approve' | 'reject'; reason: string };

/** The account pages by their name in the address. */
export const ACCOUNT_ROOMS: Record<AccountRoom, () => ReactNode> = {
  people: PeopleList,
  communities: CommunitiesList,
  applications: Applications,
  partnerships: PartnershipList,
  person: function Person() {
    const [{ person = '' }] = useSearch('/admin/account-management');
    return <PersonPage key={person} userId={person} />;
  },
  community: function Community() {
    const [{ community = '' }] = useSearch('/admin/account-management');
    return <CommunityPage key={community} placeId={community} />;
  },
};
export const loadRoom = async (name: AccountRoom) => ({ RoomScreen: ACCOUNT_ROOMS[name] });

function Applications() {
  const usePage = (after: string | undefined) =>
    useQuery({ ...read('GET /api/admin/leader-applications', undefined, { after }), staleTime: 0, gcTime: 0 });
  const list = useListFocus<HTMLDivElement>();
  return (
    <div ref={list}>
      <List
        usePage={usePage}
        reading={ForAdmins}
        none={<Empty title={m.ops_applications_none()} line={m.ops_applications_none_line()} />}
        head={() => <SectionHead title={m.ops_applications()} />}
        cards
      >
        {(application) => <ApplicationCard application={application} />}
      </List>
    </div>
  );
}

function ApplicationCard({ application }: { application: Listed }) {
  const { id, displayName, state, about, plan, link, reason } = application;
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const [asking, setAsking] = useState<Asking | null>(null);
  const decide = useCommand(
    (body: Decision, idempotencyKey) =>
      call('POST /api/admin/leader-applications/:applicationId/decision', {
        params: { applicationId: id },
        body,
        idempotencyKey,
      }),
    () => void client.invalidateQueries(readsOf(['GET /api/admin/leader-applications'])),
  );
  const ask = (decision: Decision['decision']): Asking => ({
    about: `application:${id}:${decision}`,
    title:
      decision === 'approve'
        ? m.ops_applications_approve_title({ who: displayName })
        : m.leader_reject_title({ who: displayName }),
    action: decision === 'approve' ? m.leader_approve() : m.leader_reject(),
    hint: decision === 'approve' ? m.ops_applications_approve_hint() : m.ops_applications_reason_hint(),
    presets: decision === 'approve' ? [m.ops_applications_known(), m.ops_applications_convincing()] : [],
    isGrave: decision === 'reject',
    onReason: (reason) =>
      decide.mutateAsync({ decision, reason }).then(
        () => true,
        () => false,
      ),
  });
  return (
    <Card>
      <div className="flex-row">
        <div className="flex-grow">
          <h3>{displayName}</h3>
          <p className="text-small text-muted">
            {m.ops_applications_sent({ time: whenWord(application.submittedAt) })}
          </p>
        </div>
        {state === 'approved' && <Chip kind="ink">{m.ops_applications_approved()}</Chip>}
        {state === 'rejected' && <Chip kind="no">{m.ops_applications_rejected()}</Chip>}
      </div>
      <dl className="account-facts">
        <dt>{m.leader_signup_about()}</dt>
        <dd className="written-text">{about}</dd>
        <dt>{m.leader_signup_plan()}</dt>
        <dd className="written-text">{plan}</dd>
        {link && (
          <>
            <dt>{m.leader_signup_link()}</dt>
            <dd>
              <a
                className="text-link touch-target break-anywhere"
                href={link}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                {link}
              </a>
            </dd>
          </>
        )}
      </dl>
      {reason && <Quote lead={m.member_in_quotes({ words: reason })} />}
      <Refused error={decide.error} />
      {state === 'submitted' && (
        <div className="actions">
          <Button
            busy={decide.isPending}
            disabledReason={offline}
            aria-label={m.ops_applications_approve_label({ who: displayName })}
            onClick={() => setAsking(ask('approve'))}
          >
            {m.leader_approve()}
          </Button>
          <Button
            kind="edge"
            disabledReason={offline}
            aria-label={m.ops_applications_reject_label({ who: displayName })}
            onClick={() => setAsking(ask('reject'))}
          >
            {m.leader_reject()}
          </Button>
        </div>
      )}
      <ReasonDialog asking={asking} onClose={() => setAsking(null)} />
    </Card>
  );
}
