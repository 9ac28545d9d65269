import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import type { User } from '../../../server/contract/user.ts';
import { isComplete, mayJoin } from '../../../server/rules/completion.ts';
import { lastCommunity } from '../../lib/hints.ts';
import { todayOf } from '../../lib/places.ts';
import { read, userQuery } from '../../lib/query.ts';
import type { Target } from '../../lib/target.ts';
import { m } from '../../paraglide/messages.js';
import { XRefusal } from '../../shared/communities/x-refusal.tsx';
import { ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading, State } from '../../ui/states.tsx';
import { WayOut } from '../gate/way-out.tsx';
import { CommunityRows } from './community-rows.tsx';
import { MissingList } from './missing-list.tsx';

/** Chooses a community to open; before that, lists what the account lacks. */
export function CommunitySelectorScreen() {
  const user = useQuery(userQuery);
  const isUnfinished = user.data ? !isComplete(user.data) : false;
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: isUnfinished });
  const lead = user.data && leadOf(user.data, (mine.data?.length ?? 0) > 0);
  return (
    <Screen title={isUnfinished ? m.member_selector_missing() : m.member_selector()} {...(isUnfinished && { lead })}>
      <Reading query={user as UseQueryResult<User | null>}>
        {(me) => (me === null ? <SignedOut /> : <Chooser user={me} />)}
      </Reading>
    </Screen>
  );
}

/** What is possible already, and why the rest is needed. */
function leadOf(user: User, hasJoined: boolean): string {
  if (mayJoin(user)) return m.member_selector_missing_may_join();
  return hasJoined ? m.member_selector_missing_joined() : m.member_selector_missing_lead();
}

function SignedOut() {
  return (
    <State
      illustration="gate"
      title={m.member_selector_signed_out()}
      actions={
        <>
          <SignInLink next="/community-selector" />
          <ButtonLink kind="words" to="/explore-communities">
            {m.member_explore()}
          </ButtonLink>
        </>
      }
    >
      <p>{m.member_selector_signed_out_line()}</p>
    </State>
  );
}

function Chooser({ user }: { user: User }) {
  const mine = useQuery(read('GET /api/user/communities'));
  return (
    <div className="stack-large">
      <XRefusal />
      {!isComplete(user) && <MissingList user={user} />}
      <Reading query={mine}>
        {(communities) =>
          communities.length === 0 ? (
            <Empty
              title={m.member_selector_none()}
              line={mayJoin(user) ? m.member_selector_none_line() : m.member_selector_none_partial()}
              action={
                <ButtonLink kind={mayJoin(user) ? 'ink' : 'edge'} to="/explore-communities">
                  {m.member_explore()}
                </ButtonLink>
              }
            />
          ) : (
            <>
              {isComplete(user) && (
                <div className="actions">
                  <ButtonLink icon="today" {...firstToday(communities)}>
                    {m.member_open_today({ today: m.shell_today() })}
                  </ButtonLink>
                </div>
              )}
              <CommunityRows communities={communities} />
              <div className="actions">
                <ButtonLink kind="edge" icon="explore" to="/explore-communities">
                  {m.member_explore()}
                </ButtonLink>
                <ButtonLink kind="words" to="/communities">
                  {m.shell_to_communities()}
                </ButtonLink>
              </div>
            </>
          )
        }
      </Reading>
      {!isComplete(user) && <WayOut user={user} />}
    </div>
  );
}

/** The last opened Today while the member still belongs to it; else one with an open streak or tasks. */
function firstToday(communities: readonly MyCommunity[]): Target {
  const last = lastCommunity();
  const first =
    communities.find(({ id, slug }) => slug === last || id === last) ??
    communities.find(({ streakDays = 0, countedToday }) => streakDays > 0 && countedToday === false) ??
    communities.find(({ todo, toReview }) => todo + toReview > 0) ??
    communities[0];
  return todayOf(first?.slug ?? null, null);
}
