import '../people/people.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeskCommunityDetail } from '../../../../server/contract/desk.ts';
import { day, number, stampTime } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { roleWord, whenWord } from '../../../shared/tasks/words.ts';
import { CommunityAvatar, PersonAvatar } from '../../../ui/avatar.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card, Chip, ListRow, Quote } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ForAdmins } from '../for-admins.tsx';
import { actWord } from '../people/act-words.ts';
import { CommunityBadges } from './communities-list.tsx';
import { ACTIONS_ID, CommunityActions } from './community-actions.tsx';

/** A community for administrators: who runs it, its state, its history, and actions. */
export function CommunityPage({ placeId }: { placeId: string }) {
  const query = useQuery({ ...read('GET /api/admin/communities/:placeId', { placeId }), staleTime: 0, gcTime: 0 });
  return (
    <ForAdmins query={query} missing={<Empty title={m.desk_community_gone()} line={m.desk_community_gone_line()} />}>
      {(community) => <Whole community={community} />}
    </ForAdmins>
  );
}

function Whole({ community }: { community: DeskCommunityDetail }) {
  const { name, slug, createdAt, description, suspension } = community;
  return (
    <>
      <header className="person-head">
        <CommunityAvatar name={name} size={72} />
        <div className="flex-grow">
          <h2>{name}</h2>
          <p className="text-small text-muted">
            {slug} · {m.desk_community_since({ day: day(createdAt) })}
          </p>
        </div>
        <CommunityBadges community={community} />
        <span className="only-phone person-jump">
          <Button kind="edge" onClick={jumpToActions}>
            {m.people_actions()}
          </Button>
        </span>
      </header>
      {suspension && (
        <Quote
          lead={
            suspension.until
              ? m.people_suspended_lead_until({ time: stampTime(suspension.until) })
              : m.people_suspended_lead()
          }
        >
          {suspension.reason}
        </Quote>
      )}
      <div className="person-columns">
        <div className="stack">
          <Activity community={community} />
          <Staff community={community} />
          {description !== '' && (
            <Part title={m.desk_community_about()}>
              <p className="text-small written-text">{description}</p>
              {suspension === null && (
                <ButtonLink kind="words" to="/community/$communityId" params={{ communityId: slug }}>
                  {m.desk_community_open()}
                </ButtonLink>
              )}
            </Part>
          )}
          <History community={community} />
        </div>
        <CommunityActions key={community.id} community={community} />
      </div>
    </>
  );
}

/** On a phone the actions are below everything else. */
function jumpToActions(): void {
  const actions = document.getElementById(ACTIONS_ID);
  actions?.scrollIntoView();
  actions?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h3>{title}</h3>
      {children}
    </Card>
  );
}

function Activity({ community }: { community: DeskCommunityDetail }) {
  const { members, active7, tasks, answers, lastAnswerAt, oldestWaitingAt } = community;
  const figures = [
    [number(members), m.desk_fig_members({ count: members })],
    [number(active7), m.desk_fig_active()],
    [number(tasks), m.desk_fig_tasks({ count: tasks })],
    [number(answers.approved), m.people_approved()],
    [number(answers.rejected), m.people_rejected()],
    [number(answers.waiting), m.people_waiting()],
  ] as const;
  return (
    <Part title={m.desk_activity()}>
      <dl className="person-figures">
        {figures.map(([value, name]) => (
          <div key={name}>
            <dd className="numeric">{value}</dd>
            <dt>{name}</dt>
          </div>
        ))}
      </dl>
      <p className="text-small text-muted">
        {[
          lastAnswerAt ? m.desk_communities_last({ time: whenWord(lastAnswerAt) }) : m.desk_communities_no_answers(),
          oldestWaitingAt && m.desk_oldest_waiting({ time: whenWord(oldestWaitingAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </Part>
  );
}

function Staff({ community: { staff } }: { community: DeskCommunityDetail }) {
  return (
    <Part title={m.desk_staff()}>
      {staff.length === 0 ? (
        <p className="text-small text-muted">{m.desk_no_staff()}</p>
      ) : (
        <ul className="ruled-list">
          {staff.map(({ id, displayName, role, isSuspended, lastSeenAt }) => (
            <li key={id}>
              <ListRow
                lead={<PersonAvatar name={displayName} />}
                title={displayName}
                line={[
                  roleWord(role),
                  lastSeenAt ? m.people_seen({ time: whenWord(lastSeenAt) }) : m.people_signed_out(),
                ].join(' · ')}
                end={isSuspended && <Chip kind="no">{m.people_suspended()}</Chip>}
                link={{ to: '/admin/account-management/person', search: { person: id } }}
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function History({ community: { history } }: { community: DeskCommunityDetail }) {
  return (
    <Part title={m.people_history()}>
      {history.length === 0 ? (
        <p className="text-small text-muted">{m.desk_no_history()}</p>
      ) : (
        <ol className="ruled-list">
          {history.map(({ id, at, action, by, reason }) => (
            <li key={id} className="person-act">
              <p>
                <b>{actWord(action)}</b>
              </p>
              {reason && <p className="written-text">{reason}</p>}
              <p className="text-tiny text-muted">
                {m.people_act_by({ who: by ?? m.people_by_server(), time: stampTime(at) })}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
