import { List, NoneFound, SearchField } from '../../../ui/pages.tsx';
import './people.css';
import { useQuery } from '@tanstack/react-query';
import { COUNTED_MOST, SEARCH_FOUND } from '../../../../server/contract/limits.ts';
import type { PeopleFilter, Person } from '../../../../server/contract/people.ts';
import { day, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { whenWord } from '../../../shared/tasks/words.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Chip, ListRow } from '../../../ui/card.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { ForAdmins } from '../for-admins.tsx';

const FILTERS = ['all', 'suspended', 'staff'] as const satisfies readonly PeopleFilter[];
const FILTER_WORDS = {
  all: m.people_filter_all,
  suspended: m.people_filter_suspended,
  staff: m.people_filter_staff,
} as const;

/** All accounts, searchable by any of their names; each opens the person's page. */
export function PeopleList() {
  const searching = useSearch('/admin/account-management');
  const [search, setSearch] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const filter = FILTERS.find((one) => one === search.filter) ?? 'all';
  const usePage = (after: string | undefined) =>
    useQuery({
      ...read('GET /api/admin/people', undefined, { search: wanted, filter, after }),
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
        <SearchField label={m.people_find()} hint={m.people_find_hint()} typed={typed} find={find} />
        <Segment
          label={m.people_filter()}
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
            title={wanted ? m.people_none_found({ words: wanted }) : m.people_none()}
            action={m.people_show_all()}
            onAll={showAll}
          />
        }
        head={({ total }) => (
          <p className="text-small text-muted people-count" role="status">
            {wanted && total > SEARCH_FOUND
              ? m.people_found_more({ n: number(SEARCH_FOUND) })
              : m.people_count({ count: total, n: countWord(total) })}
          </p>
        )}
      >
        {(person) => (
          <ListRow
            lead={<PersonAvatar name={person.displayName} />}
            title={person.displayName}
            line={lineOf(person)}
            end={<Badges person={person} />}
            link={{ to: '/admin/account-management/person', search: { person: person.id } }}
          />
        )}
      </List>
    </>
  );
}

/** A count that ends at a thousand. */
const countWord = (total: number): string => (total > COUNTED_MOST ? `${number(COUNTED_MOST)}+` : number(total));

/** Known names, the Telegram id, and the last visit. */
function lineOf({ telegramUsername, twitterUsername, telegramUserId, lastSeenAt }: Person): string {
  return [
    telegramUsername ? `@${telegramUsername}` : null,
    twitterUsername ? m.people_on_x({ name: twitterUsername }) : null,
    telegramUserId,
    lastSeenAt ? m.people_seen({ time: whenWord(lastSeenAt) }) : m.people_signed_out(),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** An account's special states: suspended, not verified, a role on the instance. */
export function Badges({ person }: { person: Person }) {
  const { suspension, erasure, role, isVerified } = person;
  return (
    <span className="people-badges">
      {erasure && <Chip kind="no">{m.people_erased_on({ time: day(erasure.dueAt) })}</Chip>}
      {suspension && (
        <Chip kind="no">
          {suspension.until ? m.people_suspended_until({ time: day(suspension.until) }) : m.people_suspended()}
        </Chip>
      )}
      {role === 'admin' && <Chip kind="lake">{m.people_admin()}</Chip>}
      {role === 'ops' && <Chip kind="lake">{m.people_ops()}</Chip>}
      {!isVerified && <Chip>{m.people_unverified()}</Chip>}
    </span>
  );
}
