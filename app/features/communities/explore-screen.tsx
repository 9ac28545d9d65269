import './community-row.css';
import './explore-screen.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { DIRECTORY_PAGE } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { JoinButton } from '../../shared/communities/join-button.tsx';
import { languageWord } from '../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { CommunityCard } from './community-row.tsx';
import { beyondCut, choicesOf, matching, ordered, type Search, SIZE_NAMES } from './directory.ts';
import { InviteField } from './invite-card.tsx';
import { LearnRooms } from './learn-rooms.tsx';

const sizeWord = {
  small: m.member_explore_small,
  middle: m.member_explore_middle,
  large: m.member_explore_large,
} as const;
const ORDERS = ['', 'tasks', 'members', 'name'] as const;
const orderWord = {
  '': m.member_explore_by_default,
  tasks: m.member_explore_by_tasks,
  members: m.member_explore_by_members,
  name: m.member_explore_by_name,
} as const;

/** The directory of public communities. The search is in the address; all of it works on the device's copy. */
export function ExploreScreen() {
  const reading = read('GET /api/communities');
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const navigate = useNavigate();
  return (
    <Screen title={m.shell_explore()} asOf={asOf} onRetry={() => query.refetch()}>
      <Reading query={query}>{(communities) => <Directory communities={communities} />}</Reading>
      <LearnRooms />
      <div className="quiet-end">
        <InviteField onCode={(invite) => void navigate({ to: '/i/$inviteCode', params: { inviteCode: invite } })} />
      </div>
    </Screen>
  );
}

function Directory({ communities }: { communities: CommunitySummary[] }) {
  const [{ q: text = '', tag = '', language = '', size = '', order = '' }, setSearch] =
    useSearch('/explore-communities');
  const search = { text, tag, language, size };
  const found = ordered(matching(useWithBeyond(communities, search), search), order);
  const any = { value: '', label: m.member_any() };
  const tags = choicesOf(communities.map((community) => community.tags));
  const languages = choicesOf(communities.map((community) => community.languages));
  if (communities.length === 0)
    return (
      <Empty
        title={m.member_public_none()}
        line={m.member_public_none_line()}
        action={<ButtonLink to="/communities">{m.shell_to_communities()}</ButtonLink>}
      />
    );
  return (
    <>
      <search className="explore-search">
        <Field
          type="search"
          label={m.member_explore_search()}
          value={text}
          onValue={(value) => setSearch({ q: value === '' ? null : value })}
        />
        <Select
          label={m.member_explore_tag()}
          options={[any, ...withChosen(tags, tag).map((value) => ({ value, label: value }))]}
          value={tag}
          onValue={(value) => setSearch({ tag: value === '' ? null : value })}
        />
        <Select
          label={m.member_explore_language()}
          options={[
            any,
            ...withChosen(languages, language).map((value) => ({ value, label: languageWord(value, getLocale()) })),
          ]}
          value={language}
          onValue={(value) => setSearch({ language: value === '' ? null : value })}
        />
        <Select
          label={m.member_explore_size()}
          options={[any, ...SIZE_NAMES.map((value) => ({ value: String(value), label: sizeWord[value]() }))]}
          value={size}
          onValue={(value) => setSearch({ size: value === '' ? null : value })}
        />
        <Select
          label={m.member_explore_order()}
          options={ORDERS.map((value) => ({ value, label: orderWord[value]() }))}
          value={ORDERS.find((value) => value === order) ?? ''}
          onValue={(value) => setSearch({ order: value === '' ? null : value })}
        />
      </search>
      <h2 className="text-small text-muted explore-found" aria-live="polite">
        {m.member_explore_found({ count: found.length, n: number(found.length) })}
      </h2>
      {communities.length >= DIRECTORY_PAGE && (
        <p className="text-small text-muted">{m.member_explore_cut({ n: number(DIRECTORY_PAGE) })}</p>
      )}
      {found.length === 0 ? (
        <Empty
          title={m.member_explore_none()}
          line={m.member_explore_none_line()}
          action={
            <Button onClick={() => setSearch({ q: null, tag: null, language: null, size: null })}>
              {m.member_explore_clear()}
            </Button>
          }
        />
      ) : (
        <Found communities={found} />
      )}
    </>
  );
}

function Found({ communities }: { communities: CommunitySummary[] }) {
  const list = useListFocus<HTMLUListElement>();
  return (
    <ul ref={list} className="community-grid">
      {communities.map((community) => (
        <li key={community.id} data-row>
          <CommunityCard community={community} end={<JoinButton community={community} kind="edge" />} />
        </li>
      ))}
    </ul>
  );
}

const SETTLED_AFTER_MS = 300;
/** Debounces a value, so not every typed letter is sent. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The copied communities, plus the server's matches beyond a cut-off copy. */
function useWithBeyond(communities: CommunitySummary[], search: Search): CommunitySummary[] {
  const wanted = beyondCut(communities, search);
  const sought = useSettled(wanted);
  const { data: beyond = [] } = useQuery({
    ...read('GET /api/communities', undefined, sought ?? {}),
    enabled: sought !== null,
  });
  if (wanted === null || sought === null) return communities;
  const listed = new Set(communities.map(({ id }) => id));
  return [...communities, ...beyond.filter(({ id }) => !listed.has(id))];
}

/** A value from the address stays selectable even when no community has it. */
const withChosen = (choices: string[], chosen: string): string[] =>
  chosen === '' || choices.includes(chosen) ? choices : [chosen, ...choices];
