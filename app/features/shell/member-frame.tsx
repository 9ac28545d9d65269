import type { Target } from '../../lib/target.ts';
import '../../ui/member-frame.css';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import type { User } from '../../../server/contract/user.ts';
import { number } from '../../lib/format.ts';
import { lastCommunity, lastMember } from '../../lib/hints.ts';
import { type Section, sectionOf, todayOf } from '../../lib/places.ts';
import { product } from '../../lib/product.ts';
import { read } from '../../lib/query.ts';
import { orReload } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { CommandResults } from '../../shared/commands/command-results.ts';
import { useWaiting } from '../../shared/commands/use-waiting.ts';
import { CommunityAvatar, PersonAvatar } from '../../ui/avatar.tsx';
import { Anchor } from '../../ui/button.tsx';
import { FrameContext } from '../../ui/frame.tsx';
import { Icon, type IconName, Logo } from '../../ui/icon.tsx';
import { Tip, Tips } from '../../ui/tooltip.tsx';
import { OutboxChip, OutboxSheet } from '../outbox/outbox.tsx';
import { lastReviewed, rememberReviewed } from './last-reviewed.ts';
import { StorageNote } from './storage-note.tsx';

const stays = () => false;
const DeskSide = lazy(async () => ({ default: (await orReload(import('../ops/desk/desk-nav.tsx'), stays)).DeskSide }));
const DeskTabs = lazy(async () => ({ default: (await orReload(import('../ops/desk/desk-nav.tsx'), stays)).DeskTabs }));

const COMMUNITIES_SHOWN = 8;
const frame = { chip: <OutboxChip /> };

/** Tab bar on phones, side bar from 900 px, with the outbox chip in one of them. */
export function MemberFrame({ user, children }: { user: User | null; children: ReactNode }) {
  const { pathname } = useLocation();
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: user !== null });
  const today = useToday(mine.data);
  const leads = useReviewed(mine.data, today);
  const section = sectionOf(pathname);
  const isQuiz = pathname === '/web3-quiz';
  // Administrators get other links while they work at the desk.
  const staff = user !== null && user.role !== 'member' && /^\/admin(\/|$)/.test(pathname) ? user : null;
  return (
    <Tips>
      <CommandResults userId={user?.id ?? lastMember()} />
      <FrameContext value={frame}>
        <div className="member-frame">
          <nav className="side-bar" aria-label={m.shell_main_nav()}>
            {staff ? (
              <Suspense fallback={null}>
                <DeskSide user={staff} chip={frame.chip} />
              </Suspense>
            ) : (
              <>
                <Anchor {...today} className="wordmark">
                  <Logo />
                  {product.name}
                </Anchor>
                {/* The side bar links the quiz; on phones it is part of Explore. */}
                <NavLinks today={today} leads={leads} current={isQuiz ? null : section} />
                <Anchor className="side-bar__place" to="/web3-quiz" aria-current={isQuiz ? 'page' : undefined}>
                  <Icon name="quiz" />
                  {m.quiz_title()}
                </Anchor>
                <Mine communities={mine.data ?? []} path={pathname} />
                <div className="side-bar__end">
                  <div className="side-bar__chip">{frame.chip}</div>
                  {user && user.role !== 'member' && (
                    <Anchor className="side-bar__place" to="/admin">
                      <Icon name="server" />
                      {m.shell_ops()}
                    </Anchor>
                  )}
                  {user && (
                    <Tip words={m.shell_you()}>
                      <Anchor to="/profile">
                        <PersonAvatar name={user.displayName} size={28} />
                        {user.displayName}
                      </Anchor>
                    </Tip>
                  )}
                </div>
              </>
            )}
          </nav>
          <div className="member-frame__page">
            <StorageNote />
            {children}
          </div>
          <nav className="tab-bar" aria-label={m.shell_main_nav()}>
            {staff ? (
              <Suspense fallback={null}>
                <DeskTabs user={staff} />
              </Suspense>
            ) : (
              <NavLinks today={today} leads={leads} current={section} />
            )}
          </nav>
        </div>
        <OutboxSheet />
      </FrameContext>
    </Tips>
  );
}

function useToday(communities: MyCommunity[] | undefined): Target {
  // Read at every render: the open dashboard may just have become the last one.
  const last = lastCommunity();
  const context = useMemo(
    () => (communities ? new Set(communities.flatMap(({ id, slug }) => [id, slug])) : null),
    [communities],
  );
  return todayOf(last, context);
}

type ReviewedCommunity = Pick<MyCommunity, 'id' | 'slug' | 'toReview'>;

/** A community where the member may review, from last time until the list loads: a late link would move the others. */
function useReviewed(mine: MyCommunity[] | undefined, today: Target): ReviewedCommunity | null {
  const led = mine && reviewedOf(mine, today);
  useEffect(() => {
    if (led !== undefined) rememberReviewed(led?.slug ?? null);
  }, [led]);
  if (led !== undefined) return led;
  const slug = lastReviewed();
  return slug === null ? null : { id: '', slug, toReview: 0 };
}

/** Prefers Today's community. */
function reviewedOf(mine: MyCommunity[], today: Target): ReviewedCommunity | null {
  const led = mine.filter(({ role }) => role !== 'member');
  const open = today.to === '/community/$communityId/dashboard' ? today.params.communityId : null;
  return led.find(({ slug, id }) => slug === open || id === open) ?? led[0] ?? null;
}

function NavLinks({
  today,
  leads,
  current,
}: {
  today: Target;
  leads: ReviewedCommunity | null;
  current: Section | null;
}) {
  const toReview = useWaiting(leads?.id ?? '', leads?.toReview ?? 0);
  const links: { section: Section; link: Target; icon: IconName; words: string; count?: number }[] = [
    { section: 'today', link: today, icon: 'today', words: m.shell_today() },
    { section: 'leaderboard', link: { to: '/leaderboard' }, icon: 'board', words: m.shell_leaderboard() },
    { section: 'explore', link: { to: '/explore-communities' }, icon: 'explore', words: m.shell_explore() },
    ...(leads
      ? [
          {
            section: 'tools',
            link: { to: '/community/$communityId/admin', params: { communityId: leads.slug } },
            icon: 'gate',
            words: m.leader_tools(),
            count: toReview,
          } as const,
        ]
      : []),
    { section: 'you', link: { to: '/profile' }, icon: 'you', words: m.shell_you() },
  ];
  return links.map(({ section, link, icon, words, count = 0 }) => (
    <Anchor key={section} {...link} className="side-bar__place" aria-current={section === current ? 'page' : undefined}>
      <Icon name={icon} />
      {words}
      {count > 0 && <span className="place-count">{number(count)}</span>}
    </Anchor>
  ));
}

function Mine({ communities, path }: { communities: MyCommunity[]; path: string }) {
  if (communities.length === 0) return null;
  return (
    <>
      <p className="side-bar__caption">{m.shell_your_communities()}</p>
      {communities.slice(0, COMMUNITIES_SHOWN).map(({ id, slug, name }) => (
        <Anchor
          key={id}
          className="side-bar__community"
          to="/community/$communityId/dashboard"
          params={{ communityId: slug }}
          data-here={path.split('/').includes(slug) || undefined}
        >
          <CommunityAvatar name={name} size={28} />
          {name}
        </Anchor>
      ))}
      {communities.length > COMMUNITIES_SHOWN && (
        <Anchor className="side-bar__community" to="/communities">
          {m.shell_all_communities()}
        </Anchor>
      )}
    </>
  );
}
