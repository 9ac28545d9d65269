import { lazy, Suspense, useLayoutEffect, useRef } from 'react';
import { useSearch } from '../../lib/search.ts';
import { orReload } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/states.tsx';

const stays = () => false;
const PostComposer = lazy(async () => ({
  default: (await orReload(import('./post-composer.tsx'), stays)).PostComposer,
}));
const AnnouncementWriter = lazy(async () => ({
  default: (await orReload(import('./announcement-writer.tsx'), stays)).AnnouncementWriter,
}));
const TaskWriter = lazy(async () => ({ default: (await orReload(import('./task-writer.tsx'), stays)).TaskWriter }));
const AnswerChecker = lazy(async () => ({
  default: (await orReload(import('./answer-checker.tsx'), stays)).AnswerChecker,
}));
const FeedbackSummary = lazy(async () => ({
  default: (await orReload(import('./feedback-summary.tsx'), stays)).FeedbackSummary,
}));

/** The tools by their name in the address (`?tool=`). */
const TOOLS = {
  post: { words: m.tools_tab_post, Tool: PostComposer },
  announcement: { words: m.tools_tab_announce, Tool: AnnouncementWriter },
  task: { words: m.tools_tab_task, Tool: TaskWriter },
  answers: { words: m.tools_tab_check, Tool: AnswerChecker },
  feedback: { words: m.tools_tab_summary, Tool: FeedbackSummary },
} as const;
type ToolName = keyof typeof TOOLS;
const NAMES = Object.keys(TOOLS) as ToolName[];

/** Tools for people who write and read for a community. Public; no text leaves the device. */
export function ToolsScreen() {
  const [search] = useSearch('/ai-tools');
  const name = NAMES.find((one) => one === search.tool) ?? 'post';
  const { words, Tool } = TOOLS[name];
  return (
    <Screen title={m.tools_title()} tab={`${words()} · ${m.tools_title()}`} lead={m.tools_lead()}>
      <ToolLinks current={name} />
      <Suspense fallback={<Skeleton />}>
        <Tool />
      </Suspense>
    </Screen>
  );
}

/** Scrolls sideways on phones, with the open tool always in view. */
function ToolLinks({ current }: { current: ToolName }) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const here = list.current?.querySelector<HTMLElement>(`[data-tool="${current}"]`);
    if (here && list.current) list.current.scrollLeft = here.offsetLeft - list.current.clientWidth / 3;
  }, [current]);
  return (
    <nav className="room-links" aria-label={m.tools_nav()}>
      <ul ref={list}>
        {NAMES.map((one) => (
          <li key={one} data-tool={one}>
            <Anchor to="/ai-tools" search={{ tool: one }} {...(one === current && { 'aria-current': 'page' as const })}>
              {TOOLS[one].words()}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
