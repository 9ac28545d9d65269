import '../people/people.css';
import { useQuery } from '@tanstack/react-query';
import type { DeskCommunitiesFilter, DeskCommunity } from '../../../../server/contract/desk.ts';
import { SEARCH_MAX } from '../../../../server/contract/limits.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { memberCount, whenWord } from '../../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip, ListRow } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ForAdmins } from '../for-admins.tsx';

const FILTERS = ['all', 'suspended', 'featured', 'counting'] as const satisfies readonly DeskCommunitiesFilter[];
const FILTER_WORDS = {
  all: m.desk_communities_all,
  suspended: m.desk_communities_suspended,
  featured: m.desk_communities_featured,
  counting: m.desk_communities_counting,
} as const;

/** Every community of the instance; each opens on a page for administrators. */
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
  return (
    <>
      <div className="people-find">
        <Field
          label={m.desk_communities_find()}
          hint={m.desk_communities_find_hint()}
          type="search"
          maxLength={SEARCH_MAX}
          value={typed}
          onValue={find}
        />
        <Segment
          label={m.desk_communities_filter()}
          options={FILTERS.map((value) => ({ value, label: FILTER_WORDS[value]() }))}
          value={filter}
          onChange={(value) => setSearch({ filter: value === 'all' ? null : value })}
        />
      </div>
      <Pages key={`${wanted} ${filter}`} usePage={usePage} reading={ForAdmins}>
        {({ items, total }, isFirst) =>
          items.length === 0 ? (
            isFirst && (
              <Empty
                title={wanted ? m.desk_communities_none_found({ words: wanted }) : m.desk_communities_none()}
                line={m.desk_communities_none_line()}
                action={
                  (wanted !== undefined || filter !== 'all') && (
                    <Button
                      kind="edge"
                      onClick={() => {
                        find('');
                        setSearch({ search: null, filter: null });
                      }}
                    >
                      {m.desk_communities_show_all()}
                    </Button>
                  )
                }
              />
            )
          ) : (
            <>
              {isFirst && (
                <p className="text-small text-muted people-count" role="status">
                  {m.desk_communities_count({ count: total, n: number(total) })}
                </p>
              )}
              <Card className="card--rows">
                <ul className="ruled-list">
                  {items.map((community) => (
                    <li key={community.id}>
                      <ListRow
                        lead={<CommunityAvatar name={community.name} />}
                        title={community.name}
                        line={lineOf(community)}
                        end={<CommunityBadges community={community} />}
                        link={{ to: '/admin/communities', search: { community: community.id } }}
                      />
                    </li>
                  ))}
                </ul>
              </Card>
            </>
          )
        }
      </Pages>
    </>
  );
}

/** Address, how many belong to it, how many were active this week, and when the last answer came. */
const lineOf = ({ slug, members, active7, lastAnswerAt }: DeskCommunity): string =>
  [
    slug,
    memberCount(members),
    m.desk_communities_active({ n: number(active7) }),
    lastAnswerAt ? m.desk_communities_last({ time: whenWord(lastAnswerAt) }) : m.desk_communities_no_answers(),
  ].join(' · ');

/** What sets a community apart. */
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
