/** The log reader's pages, a chunk each. Separate from the router, so the entry contains only their names. */
import { createContext, type ReactNode, useContext } from 'react';
import type { LogRoom } from '../../../lib/rooms.ts';
import { isId, useLogSearch } from './search.ts';

/** Counts the reader's presses of refresh. */
export const Refreshes = createContext(0);
const useRefreshes = () => useContext(Refreshes);

const ROOM_OF: Record<LogRoom, () => Promise<() => ReactNode>> = {
  async issues() {
    const { Issues } = await import('./issues.tsx');
    return () => <Issues turn={useRefreshes()} />;
  },
  async entries() {
    const { Entries } = await import('./entries.tsx');
    return () => <Entries turn={useRefreshes()} />;
  },
  tail: async () => (await import('./tail.tsx')).Tail,
  async fleet() {
    const { Fleet } = await import('./fleet.tsx');
    return () => <Fleet turn={useRefreshes()} />;
  },
  async rules() {
    const { Rules } = await import('./rules.tsx');
    return () => <Rules turn={useRefreshes()} />;
  },
  async issue() {
    const { IssuePage } = await import('./issue-page.tsx');
    return function Issue() {
      const [{ issue = '', entry }] = useLogSearch();
      return <IssuePage key={`${issue} ${entry}`} issueId={issue} entryId={isId(entry) ? entry : undefined} />;
    };
  },
  async entry() {
    const { EntryPage } = await import('./entry-page.tsx');
    return function Entry() {
      const [{ entry = '' }] = useLogSearch();
      return <EntryPage key={entry} entryId={entry} />;
    };
  },
  async timeline() {
    const { Timeline } = await import('./timeline.tsx');
    return function Lines() {
      const [{ user, device = '' }] = useLogSearch();
      return isId(user) ? <Timeline key={user} user={user} /> : <Timeline key={device} device={device} />;
    };
  },
};

export const loadRoom = async (name: LogRoom) => ({ RoomScreen: await ROOM_OF[name]() });
