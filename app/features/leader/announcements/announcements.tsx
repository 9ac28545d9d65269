import '../../../ui/desk.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CampaignAudience } from '../../../../server/contract/campaigns.ts';
import { ANNOUNCEMENT_BODY_MAX } from '../../../../server/contract/limits.ts';
import type { Announced } from '../../../../server/contract/rooms.ts';
import { onDelivered } from '../../../lib/device.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { errorText } from '../../../lib/refusal-words.ts';
import { announcementSubject } from '../../../lib/subjects.ts';
import { m } from '../../../paraglide/messages.js';
import { announcementDraft } from '../../../shared/drafts/draft-names.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { List } from '../../../ui/pages.tsx';
import { Empty } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Composer } from '../../composer/composer.tsx';
import { CAMPAIGN_STATES, Figures, plannedWord } from '../../composer/figures.tsx';
import { reachQuery, type Sent, type When, type Who, writtenOf } from '../../composer/written.ts';
import { announce, changeAnnouncement, takeBack, takeBackCampaign } from '../parts/commands.ts';
import { PendingList, usePending } from '../parts/pending.tsx';

const ACTIVE_DAYS = 7;
const audienceOptions = (): readonly Who[] => [
  { value: 'everyone', title: m.desk_announce_everyone(), line: m.compose_everyone_line(), audience: {} },
  {
    value: 'active',
    title: m.compose_active(),
    line: m.desk_announce_seen_line({ n: number(ACTIVE_DAYS) }),
    audience: { activeDays: ACTIVE_DAYS },
  },
  { value: 'choose', title: m.compose_choose(), line: m.compose_choose_line(), audience: null },
];

/** Announcements to all members, on Today and as a notification: written here, also offline, and withdrawn. */
export function Announcements({ communityId, name }: { communityId: string; name: string }) {
  const client = useQueryClient();
  useEffect(
    () =>
      onDelivered(({ entry }) => {
        if (!/\/(campaigns|announcements)\b/.test(entry.path)) return;
        const ours = ['announcements', 'announcements/*', 'campaigns/*'] as const;
        const keys = ours.map((part) => `GET /api/communities/:communityId/${part}` as const);
        void client.invalidateQueries(readsOf(keys, { communityId }));
      }),
    [client, communityId],
  );
  const [changing, setChanging] = useState<Announced | null>(null);
  const pending = usePending(communityId, ({ kind }) => kind === 'announcement');
  const list = useListFocus<HTMLElement>();
  const leaving = new Set(pending.map(({ subject }) => subject));
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/announcements/sent', { communityId }, { after }));
  return (
    <>
      <SectionHead title={changing ? m.compose_change({ title: changing.title }) : m.desk_announce_new()} />
      <Written
        key={changing?.id ?? 'new'}
        communityId={communityId}
        name={name}
        changing={changing}
        onDone={() => setChanging(null)}
      />
      <section ref={list}>
        <SectionHead title={m.desk_announce_sent()} />
        {pending.length > 0 && (
          <Card className="pending-card">
            <PendingList entries={pending} />
          </Card>
        )}
        <List
          usePage={usePage}
          none={<Empty title={m.push_campaigns_none()} line={m.push_campaigns_none_line()} />}
          cards
          isShown={({ id }) => !leaving.has(announcementSubject(id))}
        >
          {(one) => <AnnouncementCard communityId={communityId} announced={one} onChange={setChanging} />}
        </List>
      </section>
    </>
  );
}

type WrittenProps = { communityId: string; name: string; changing: Announced | null; onDone: () => void };
function Written({ communityId, name, changing, onDone }: WrittenProps) {
  const beginning = changing && writtenOf(changing, audienceOptions());
  const id = changing?.announcementId ?? null;
  const useReach = (audience: CampaignAudience, when: When) =>
    useQuery({
      ...read('GET /api/communities/:communityId/campaigns/reach', { communityId }, reachQuery(audience, when)),
      staleTime: 0,
      gcTime: 0,
    }).data;
  const send = async (sent: Sent) => {
    const stored = await (id === null ? announce(communityId, sent) : changeAnnouncement(communityId, id, sent));
    if (stored !== null) onDone();
    return stored !== null;
  };
  return (
    <Composer
      target={{
        draftName: changing ? null : announcementDraft(communityId),
        ...(beginning && { beginning, onKeepAsItWas: onDone }),
        name,
        bodyMax: ANNOUNCEMENT_BODY_MAX,
        onToday: true,
        who: audienceOptions(),
        useReach,
        alwaysAsks: false,
        audienceLead: '',
        held: null,
        error: null,
        onTest: (words) => sendTest(communityId, words),
        onSend: send,
      }}
    />
  );
}

async function sendTest(communityId: string, words: { title: string; body: string }): Promise<void> {
  try {
    await call('POST /api/communities/:communityId/campaigns/test', {
      params: { communityId },
      body: words,
      idempotencyKey: crypto.randomUUID(),
    });
    toast({ mark: 'sending', title: m.push_test_sent() });
  } catch (error) {
    toast({ mark: 'refused', title: m.member_not_sent(), line: errorText(error) });
  }
}

type CardProps = { communityId: string; announced: Announced; onChange: (said: Announced) => void };
function AnnouncementCard({ communityId, announced, onChange }: CardProps) {
  const { announcementId, title, body, by, at, pinnedUntil, campaign } = announced;
  const isWaiting = campaign?.state === 'waiting';
  const isOpen = announcementId !== null && (campaign === null || isWaiting);
  return (
    <Card className={isWaiting ? 'pencil-card' : ''}>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow">{title}</h3>
        {pinnedUntil && Date.parse(pinnedUntil) > Date.now() && (
          <Chip kind="cross" icon="pin">
            {m.leader_pinned({ time: stampTime(pinnedUntil) })}
          </Chip>
        )}
        {campaign && (
          <Chip kind={campaign.state === 'done' ? 'ink' : isWaiting ? 'pencil' : 'plain'}>
            {CAMPAIGN_STATES[campaign.state]()}
          </Chip>
        )}
      </div>
      <p className="text-small written-text">{body}</p>
      <p className="text-tiny text-muted">
        {campaign && isWaiting ? (
          <>
            {plannedWord(campaign)}
            <Estimate communityId={communityId} campaign={campaign} />
          </>
        ) : (
          [by, whenWord(at), ...(campaign ? [] : [m.compose_nobody_notified()])].filter(Boolean).join(' · ')
        )}
      </p>
      {campaign && !isWaiting && campaign.state !== 'cancelled' && <Figures campaign={campaign} />}
      <div className="actions">
        {isOpen && writtenOf(announced, audienceOptions()) && (
          <Button kind="words" aria-label={m.compose_edit_label({ title })} onClick={() => onChange(announced)}>
            {m.compose_edit()}
          </Button>
        )}
        {(announcementId !== null || isWaiting) && (
          <Button
            kind="words"
            aria-label={m.leader_unannounce_label({ title })}
            onClick={() =>
              void (announcementId === null
                ? campaign && takeBackCampaign(communityId, campaign)
                : takeBack(communityId, { id: announcementId, title }))
            }
          >
            {m.leader_unannounce()}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Estimated recipients of a scheduled notification; nothing while unknown. */
function Estimate({ communityId, campaign }: { communityId: string; campaign: NonNullable<Announced['campaign']> }) {
  const { data: reach } = useQuery(
    read('GET /api/communities/:communityId/campaigns/reach', { communityId }, reachQuery(campaign.audience, campaign)),
  );
  return reach ? ` · ${m.compose_estimate({ n: number(reach.push + reach.telegram) })}` : null;
}
