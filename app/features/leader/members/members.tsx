import { List, NoneFound, SearchField } from '../../../ui/pages.tsx';
import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunityRole, CommunitySummary } from '../../../../server/contract/community.ts';
import { SEARCH_FOUND } from '../../../../server/contract/limits.ts';
import type { Member } from '../../../../server/contract/members.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { memberCount, roleWord } from '../../../shared/tasks/words.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Card, Chip, ListRow, SectionHead } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { PendingList, usePending } from '../parts/pending.tsx';
import { MemberRoom } from './member-room.tsx';

const ROLES = ['leader', 'moderator', 'member'] as const satisfies readonly CommunityRole[];
const ORDERS = ['points', 'joined', 'name'] as const;
const ORDER_WORDS = {
  points: m.leader_order_points,
  joined: m.leader_order_joined,
  name: m.leader_order_name,
} as const;

/** The community's members, searchable by name, handle and role. Leaders can open each one. */
export function Members({ community }: { community: CommunitySummary }) {
  const communityId = community.id;
  const searching = useSearch('/community/$communityId/admin/members');
  const [search, setSearch] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const role = ROLES.find((one) => one === search.role);
  const order = ORDERS.find((one) => one === search.order) ?? 'points';
  const [shown, setShown] = useState<Member | null>(null);
  const close = useCallback(() => setShown(null), []);
  const list = useListFocus<HTMLDivElement>();
  const pending = usePending(communityId, ({ kind }) => kind === 'member' || kind === 'points');
  const leads = community.role === 'leader';
  const usePage = (after: string | undefined) =>
    useQuery(
      read('GET /api/communities/:communityId/members', { communityId }, { search: wanted, role, order, after }),
    );
  const showAll = () => {
    find('');
    setSearch({ search: null, role: null });
  };
  return (
    <>
      <div className="filter-row">
        <SearchField label={m.leader_find_member()} typed={typed} find={find} />
        <Select
          label={m.leader_role()}
          options={[
            { value: 'any', label: m.leader_role_any() },
            ...ROLES.map((value) => ({ value, label: roleWord(value) })),
          ]}
          value={role ?? 'any'}
          onValue={(value) => setSearch({ role: value === 'any' ? null : value })}
        />
        <Select
          label={m.leader_order()}
          options={ORDERS.map((value) => ({ value, label: ORDER_WORDS[value]() }))}
          value={order}
          onValue={(value) => setSearch({ order: value === 'points' ? null : value })}
        />
      </div>
      {pending.length > 0 && (
        <Card className="pending-card">
          <PendingList entries={pending} />
        </Card>
      )}
      <div ref={list}>
        <List
          filters={`${wanted} ${role} ${order}`}
          usePage={usePage}
          none={
            <NoneFound
              title={noneWord(wanted, role)}
              line={wanted || role ? undefined : m.leader_nobody_line()}
              action={m.leader_clear_filters()}
              onAll={wanted || role ? showAll : null}
            />
          }
          head={({ total }) => (
            <SectionHead
              title={m.leader_tab_members()}
              end={
                <span className="text-small text-muted">
                  {wanted && total > SEARCH_FOUND
                    ? m.people_found_more({ n: number(SEARCH_FOUND) })
                    : memberCount(total)}
                </span>
              }
            />
          )}
        >
          {(member) => (
            <ListRow
              lead={<PersonAvatar name={member.displayName} />}
              title={member.displayName}
              line={lineOf(member)}
              end={
                <span className="flex-row">
                  {pending.some(({ subject }) => subject.endsWith(`:${member.id}`)) && (
                    <Chip kind="pencil">{m.leader_not_sent_yet()}</Chip>
                  )}
                  {member.role !== 'leader' && <b className="numeric">{number(member.points)}</b>}
                </span>
              }
              {...(leads && { onPress: () => setShown(member) })}
            />
          )}
        </List>
      </div>
      <Sheet title={shown?.displayName ?? ''} open={shown !== null} onClose={close}>
        {shown && <MemberRoom key={shown.id} communityId={communityId} member={shown} onGone={close} />}
      </Sheet>
    </>
  );
}

function noneWord(wanted: string | undefined, role: CommunityRole | undefined): string {
  if (wanted) return role ? m.leader_nobody_found_so() : m.leader_nobody_found();
  return role ? m.leader_nobody_of_role() : m.leader_nobody();
}

function lineOf(member: Member): string {
  const role = m.leader_person_line({ role: roleWord(member.role), date: day(member.joinedAt) });
  const parts = [member.telegramUsername ? `@${member.telegramUsername}` : null, role];
  if (member.lastActiveAt) parts.push(m.leader_last_active({ date: day(member.lastActiveAt) }));
  return parts.filter(Boolean).join(' · ');
}
