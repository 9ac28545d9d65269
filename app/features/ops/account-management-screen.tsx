import '../../ui/desk.css';
import './account-management-screen.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Application } from '../../../server/contract/members.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import { useLive } from '../../lib/use-live.ts';
import { useSearch } from '../../lib/use-search.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../shared/commands/use-command.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, Quote, SectionHead } from '../../ui/card.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { Pages } from '../../ui/pages.tsx';
import { type Asking, ReasonDialog } from '../../ui/reason-dialog.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { Empty } from '../../ui/states.tsx';
import { CommunitiesList } from './communities/communities-list.tsx';
import { CommunityPage } from './communities/community-page.tsx';
import { ForAdmins } from './for-admins.tsx';
import { useIsStaff } from './for-staff.tsx';
import { PartnershipList } from './partnerships/partnership-list.tsx';
import { PeopleList } from './people/people-list.tsx';
import { PersonPage } from './people/person-page.tsx';

type Listed = Application & { userId: string; displayName: string };
type Decision = { decision: 'approve' | 'reject'; reason: string };

const VIEWS = ['people', 'communities', 'applications', 'partnerships'] as const;
const VIEW_WORDS = {
  people: m.people_tab,
  communities: m.desk_tab_communities,
  applications: m.people_tab_applications,
  partnerships: m.partner_desk_tab,
} as const;

/** `/admin/account-management`: accounts, communities, and who asks for something, for administrators; live only. */
export function AccountManagementScreen() {
  const [search, setSearch] = useSearch();
  useLive(null, ['desk'], useIsStaff() === true);
  const person = search['person'];
  const view = VIEWS.find((one) => one === search['view']) ?? 'people';
  if (person !== undefined)
    return (
      <Screen title={m.people_tab()} back={{ to: '/admin/account-management', label: m.people_tab() }}>
        <PersonPage key={person} userId={person} />
      </Screen>
    );
  const community = search['community'];
  if (community !== undefined)
    return (
      <Screen
        title={m.desk_tab_communities()}
        back={{ to: '/admin/account-management?view=communities', label: m.desk_tab_communities() }}
      >
        <CommunityPage key={community} placeId={community} />
      </Screen>
    );
  return (
    <Screen title={m.ops_accounts()} lead={m.ops_accounts_lead()} back={{ to: '/admin', label: m.ops_title() }}>
      <div className="view-switch view-switch--wide">
        <Segment
          label={m.people_views()}
          options={VIEWS.map((value) => ({ value, label: VIEW_WORDS[value]() }))}
          value={view}
          onChange={(value) => setSearch({ view: value === 'people' ? null : value, search: null, filter: null }, true)}
        />
      </div>
      {view === 'people' && <PeopleList key={view} />}
      {view === 'communities' && <CommunitiesList key={view} />}
      {view === 'applications' && <Applications />}
      {view === 'partnerships' && <PartnershipList key={view} />}
    </Screen>
  );
}

function Applications() {
  const usePage = (after: string | undefined) =>
    useQuery({ ...read('GET /api/admin/leader-applications', undefined, { after }), staleTime: 0, gcTime: 0 });
  const list = useListFocus<HTMLDivElement>();
  return (
    <div ref={list}>
      <Pages usePage={usePage} reading={ForAdmins}>
        {({ items }, isFirst) =>
          items.length === 0 ? (
            isFirst && <Empty title={m.ops_applications_none()} line={m.ops_applications_none_line()} />
          ) : (
            <>
              {isFirst && <SectionHead title={m.ops_applications()} />}
              <ul className="stack">
                {items.map((application) => (
                  <li key={application.id} data-row>
                    <ApplicationCard application={application} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Pages>
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
    act: decision === 'approve' ? m.leader_approve() : m.leader_reject(),
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
            aria-label={m.leader_reject_label({ who: displayName })}
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
