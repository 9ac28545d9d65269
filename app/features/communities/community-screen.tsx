import './community-screen.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunityDetail } from '../../../server/contract/communities.ts';
import { kindWord } from '../../kinds/kinds.ts';
import { copyText } from '../../lib/browser.ts';
import { day, listing } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { product } from '../../lib/product.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { refetchChanged } from '../../lib/refetch.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { useCommandKey } from '../../lib/use-command-key.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { BoardRows } from '../../shared/boards/board-rows.tsx';
import { useCachedName } from '../../shared/communities/cached-name.ts';
import { InviteLink } from '../../shared/communities/invite-link.tsx';
import { JoinButton } from '../../shared/communities/join-button.tsx';
import { MissingCommunity, RefusedCommunity } from '../../shared/communities/missing-community.tsx';
import {
  languageWord,
  memberCount,
  pointCount,
  recurrenceWord,
  roleWord,
  taskCount,
} from '../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Button, ButtonLink, OutButton } from '../../ui/button.tsx';
import { Card, Chip, ListRow, Points, Quote, SectionHead } from '../../ui/card.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { Screen } from '../../ui/screen.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { Reading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { OfferLine } from './offers.tsx';

/** A community's page for members and visitors. `community` is its id or slug. */
export function CommunityScreen({ community }: { community: string }) {
  const reading = read('GET /api/communities/:communityId', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const detail = query.data;
  // The full name before the page has loaded: a longer heading would move the content below.
  const name = useCachedName(community);
  return (
    <Screen
      title={detail?.name ?? name ?? m.member_community()}
      asOf={asOf}
      onRetry={() => query.refetch()}
      aside={detail && <Side detail={detail} />}
    >
      <Reading query={query} forbidden={<RefusedCommunity error={query.error} />} missing={<MissingCommunity />}>
        {(found) => <About detail={found} />}
      </Reading>
    </Screen>
  );
}

function About({ detail }: { detail: CommunityDetail }) {
  const reviews = detail.role === 'leader' || detail.role === 'moderator';
  // Joining and leaving replace the pressed button; the focus moves to the new one.
  const around = useListFocus<HTMLDivElement>();
  const way = useListFocus<HTMLDivElement>();
  return (
    <div ref={around}>
      <Card>
        <div className="community-head">
          <CommunityAvatar name={detail.name} size={48} />
          <p className="text-small text-muted flex-grow">
            {m.member_members_and_tasks({ members: memberCount(detail.members), tasks: taskCount(detail.openTasks) })}
            {detail.leaders.length > 0 && (
              <>
                <br />
                {m.member_led_by({ who: listing(detail.leaders) })}
              </>
            )}
          </p>
        </div>
        <div className="community-facts">
          {detail.role !== null && (
            <Chip kind="ink" icon="check">
              {roleWord(detail.role)}
            </Chip>
          )}
          {detail.visibility === 'private' && <Chip icon="lock">{m.member_private()}</Chip>}
          {detail.tags.map((tag) => (
            <Chip key={tag}>{tag}</Chip>
          ))}
          {detail.languages.map((code) => (
            <Chip key={code} icon="globe">
              {languageWord(code, getLocale())}
            </Chip>
          ))}
        </div>
        <p className="written-text">{detail.description || m.member_no_description()}</p>
        {detail.invitedBy && (
          <p className="text-small text-muted">
            {m.share_invited_by({ who: detail.invitedBy, points: pointCount(detail.inviteThreshold) })}
          </p>
        )}
        {detail.role === null && <OfferLine communityId={detail.id} />}
        <div className="actions">
          <div ref={way}>
            <JoinButton community={detail} />
          </div>
          {reviews && (
            <ButtonLink
              kind="edge"
              icon="review"
              to="/community/$communityId/admin"
              params={{ communityId: detail.slug }}
            >
              {m.member_open_tools()}
            </ButtonLink>
          )}
          {detail.visibility === 'public' && <ShareLink slug={detail.slug} name={detail.name} />}
          {detail.xHandle && (
            <OutButton kind="words" icon="link" href={`https://x.com/${detail.xHandle}`} rel="noreferrer">
              {m.member_on_x({ name: `@${detail.xHandle}` })}
            </OutButton>
          )}
        </div>
      </Card>
      <SectionHead title={m.member_sample_tasks()} />
      {detail.sampleTasks.length === 0 ? (
        <Card>
          <p className="text-small text-muted">{m.member_no_tasks()}</p>
        </Card>
      ) : (
        <Card className="card--rows">
          <ul className="ruled-list">
            {detail.sampleTasks.map((task) => (
              <li key={task.id}>
                <ListRow
                  title={task.title}
                  line={`${kindWord(task.kind)} · ${recurrenceWord(task.recurrence)}`}
                  end={
                    <b>
                      <Points value={task.points} />
                    </b>
                  }
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <SectionHead title={m.member_rules()} />
      <Card>
        <p className={detail.rules ? 'written-text' : 'text-small text-muted'}>{detail.rules || m.member_no_rules()}</p>
      </Card>
      {detail.role !== null && <InvitePeople communityId={detail.id} />}
      {detail.role !== null && <Leave detail={detail} />}
    </div>
  );
}

/** The member's own invite link, fetched on demand. */
function InvitePeople({ communityId }: { communityId: string }) {
  const [open, setOpen] = useState(false);
  const reading = read('GET /api/communities/:communityId/invite', { communityId });
  const query = useQuery({ ...reading, enabled: open });
  const link = useListFocus<HTMLElement>();
  return (
    <section ref={link} id="invite">
      <SectionHead title={m.member_invite_people()} />
      <Card className="stack">
        <p className="text-small text-muted">{m.member_invite_people_line()}</p>
        {open ? (
          <Reading query={query}>{(invite) => <InviteLink invite={invite} />}</Reading>
        ) : (
          <div className="actions">
            <Button kind="edge" icon="invite" onClick={() => setOpen(true)}>
              {m.member_invite_show()}
            </Button>
          </div>
        )}
      </Card>
    </section>
  );
}

function Side({ detail }: { detail: CommunityDetail }) {
  return (
    <div>
      <SectionHead
        title={m.member_top()}
        end={
          detail.role !== null && (
            <ButtonLink kind="words" to="/leaderboard" search={{ community: detail.slug }}>
              {m.member_whole_board()}
            </ButtonLink>
          )
        }
      />
      {detail.top.length > 0 ? (
        <BoardRows rows={detail.top} label={m.member_top()} />
      ) : (
        <Card>
          <p className="text-small text-muted">{m.member_top_empty()}</p>
        </Card>
      )}
      <p className="text-tiny text-muted after-list">
        {m.member_since({ product: product.name, date: day(detail.createdAt) })}
      </p>
    </div>
  );
}

/** Leaving removes the community from the member's list, so it needs a confirmation; the ledger keeps every line. */
function Leave({ detail }: { detail: CommunityDetail }) {
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const client = useQueryClient();
  const keyFor = useCommandKey();
  const leave = useMutation({
    mutationFn: () =>
      call('POST /api/communities/:communityId/leave', {
        params: { communityId: detail.id },
        idempotencyKey: keyFor('leave'),
      }),
    onSuccess: async () => {
      close();
      toast({ icon: 'info', title: m.member_left({ community: detail.name }) });
      await refetchChanged(client);
    },
  });
  return (
    <div className="quiet-end">
      <Button kind="no" icon="sign-out" onClick={() => setAsking(true)}>
        {m.member_leave()}
      </Button>
      <Dialog title={m.member_leave_title({ community: detail.name })} open={asking} onClose={close}>
        <p className="text-small text-muted dialog__line">{m.member_leave_line({ today: m.shell_today() })}</p>
        {leave.error !== null && <Quote lead={m.member_not_done()}>{errorText(leave.error)}</Quote>}
        <div className="actions">
          <Button kind="no" busy={leave.isPending} onClick={() => leave.mutate()}>
            {m.member_leave()}
          </Button>
          <Button kind="words" onClick={close}>
            {m.member_stay()}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** Shares a public community's address with the system's sheet, or else the clipboard. */
function ShareLink({ slug, name }: { slug: string; name: string }) {
  const url = `${globalThis.location.origin}/community/${slug}`;
  const share = async () => {
    // Closing the share sheet is an answer, so nothing is shown.
    if ('share' in navigator) return void navigator.share({ url, title: name }).catch(() => null);
    const copied = await copyText(url);
    toast({ icon: 'link', title: copied ? m.share_link_copied() : m.share_link_by_hand({ url }) });
  };
  return (
    <Button kind="words" icon="link" onClick={() => void share()}>
      {m.share_link()}
    </Button>
  );
}
