import '../people/people.css';
import { useQuery } from '@tanstack/react-query';
import type { DeskCommunityDetail } from '../../../../server/contract/desk.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { roleWord, whenWord } from '../../../shared/tasks/words.ts';
import { CommunityAvatar, PersonAvatar } from '../../../ui/avatar.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Chip, ListRow } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/states.tsx';
import { DetailHead, Figures, History, Part, PartRows, SuspensionQuote } from '../detail-parts.tsx';
import { ForAdmins } from '../for-admins.tsx';
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
      <DetailHead
        avatar={<CommunityAvatar name={name} size={72} />}
        name={name}
        line={[slug, m.desk_community_since({ day: day(createdAt) })].join(' · ')}
        badges={<CommunityBadges community={community} />}
        actionsId={ACTIONS_ID}
      />
      <SuspensionQuote suspension={suspension} />
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
          <History history={community.history} none={m.desk_no_history()} />
        </div>
        <CommunityActions key={community.id} community={community} />
      </div>
    </>
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
      <Figures figures={figures} />
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
      <PartRows items={staff} keyOf={({ id }) => id} none={m.desk_no_staff()}>
        {({ id, displayName, role, isSuspended, lastSeenAt }) => (
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
        )}
      </PartRows>
    </Part>
  );
}
