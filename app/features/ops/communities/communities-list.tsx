import { List, NoneFound, SearchField } from '../../../ui/pages.tsx';
import '../people/people.css';
import { useQuery } from '@tanstack/react-query';
import type { DeskCommunitiesFilter, DeskCommunity } from '../../../../server/contract/desk.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { memberCount, whenWord } from '../../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../../ui/avatar.tsx';
import { Chip, ListRow } from '../../../ui/card.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { ForAdmins } from '../for-admins.tsx';

const FILTERS = ['all', 'suspended', 'featured', 'counting'] as const satisfies readonly DeskCommunitiesFilter[];
const FILTER_WORDS = {
  all: m.desk_communities_all,
  suspended: m.desk_communities_suspended,
  featured: m.desk_communities_featured,
  counting: m.desk_communities_counting,
} as const;

/** All communities of the instance; each opens a page for administrators. */
export function CommunitiesList() {
  const searching = useSearch('/admin/communities');
  const [search, setSearch] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const filter = FILTERS.find((one) => one === search.filter) ?? 'all';
  const usePage = (after: string | undefined) =>
    useQuery({
      ...read('GET /api/admin/communities', undefined, { search: wanted, filter, after }),
      staleTime: 0,
      gcTime: 0,
    });
  const showAll = () => {
    find('');
    setSearch({ search: null, filter: null });
  };
  return (
    <>
      <div className="people-find">
        <SearchField
          label={m.desk_communities_find()}
          hint={m.desk_communities_find_hint()}
          typed={typed}
          find={find}
        />
        <Segment
          label={m.desk_communities_filter()}
          options={FILTERS.map((value) => ({ value, label: FILTER_WORDS[value]() }))}
          value={filter}
          onChange={(value) => setSearch({ filter: value === 'all' ? null : value })}
        />
      </div>
      <List
        filters={`${wanted} ${filter}`}
        usePage={usePage}
        reading={ForAdmins}
        none={
          <NoneFound
            title={wanted ? m.desk_communities_none_found({ words: wanted }) : m.desk_communities_none()}
            line={m.desk_communities_none_line()}
            action={m.desk_communities_show_all()}
            onAll={wanted !== undefined || filter !== 'all' ? showAll : null}
          />
        }
        head={({ total }) => (
          <p className="text-small text-muted people-count" role="status">
            {m.desk_communities_count({ count: total, n: number(total) })}
          </p>
        )}
      >
        {(community) => (
          <ListRow
            lead={<CommunityAvatar name={community.name} />}
            title={community.name}
            line={lineOf(community)}
            end={<CommunityBadges community={community} />}
            link={{ to: '/admin/communities', search: { community: community.id } }}
          />
        )}
      </List>
    </>
  );
}

/** Address, members, active members this week, and the last answer's time. */
const lineOf = ({ slug, members, active7, lastAnswerAt }: DeskCommunity): string =>
  [
    slug,
    memberCount(members),
    m.desk_communities_active({ n: number(active7) }),
    lastAnswerAt ? m.desk_communities_last({ time: whenWord(lastAnswerAt) }) : m.desk_communities_no_answers(),
  ].join(' · ');

/** A community's special states. */
export function CommunityBadges({ community }: { community: DeskCommunity }) {
  const { suspension, featuredAt, counts, visibility } = community;
  return (
    <span className="people-badges">
      {suspension && (
        <Chip kind="no">
          {suspension.until ? m.people_suspended_until({ time: day(suspension.until) }) : m.people_suspended()}
        </Chip>
      )}
      {featuredAt && <Chip kind="cross">{m.desk_featured()}</Chip>}
      {counts && <Chip kind="ink">{m.desk_counts()}</Chip>}
      {visibility === 'private' && <Chip icon="lock">{m.member_private()}</Chip>}
    </span>
  );
}
