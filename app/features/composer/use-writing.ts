import { useState } from 'react';
import type { Reach } from '../../../server/contract/campaigns.ts';
import { CONFIRM_ABOVE } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { audienceOf, BLANK, NOW, type Sent, sentOf, type When, type Who, type Written } from './written.ts';

export const TITLE_MIN = 3;

export type ComposerTarget = {
  /** The draft's name; null when an existing one is edited. */
  draftName: string | null;
  beginning?: Written;
  /** The sender's name on the lock screen. */
  name: string;
  bodyMax: number;
  /** Whether it is also shown on Today: then it can be pinned, and notifying is optional. */
  onToday: boolean;
  who: readonly Who[];
  /** The number of recipients; undefined while unknown. */
  useReach: (audience: ReturnType<typeof audienceOf>, when: When) => Reach | undefined;
  /** Always asks for confirmation, however few they are. */
  alwaysAsks: boolean;
  /** Introduces how the recipients are notified. */
  audienceLead: string;
  /** Why sending is not possible. */
  held: string | null;
  error: Error | null;
  onTest: (words: { title: string; body: string }) => Promise<unknown>;
  /** Answers whether it was sent; otherwise the text stays. */
  onSend: (sent: Sent) => Promise<boolean>;
  onKeepAsItWas?: () => void;
};

export type Writing = ReturnType<typeof useWriting>;

/** The text, its problems, its recipients, and the two ways to send it. */
export function useWriting(target: ComposerTarget) {
  const { draft, change, drop } = useDraft(target.draftName, target.beginning ?? BLANK);
  const [tried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<'send' | 'test' | null>(null);
  const sent = sentOf(draft, target.who);
  const { title, body, notify } = sent;
  const isLater = draft.notify && draft.when !== 'now';
  const isAhead = (local: string) => Date.parse(local) > Date.now();
  const wrong = {
    title: seenLength(title) < TITLE_MIN,
    body: body === '',
    pin: draft.pin && !isAhead(draft.pinnedUntil),
    sendAt: isLater && !isAhead(draft.sendAt),
  };
  const reach = target.useReach(audienceOf(draft, target.who), isLater && !wrong.sendAt && notify ? notify : NOW);
  const count = reach ? reach.push + reach.telegram : null;

  async function send(): Promise<void> {
    if (busy) return;
    setBusy('send');
    const isSent = await target.onSend(sent);
    setBusy(null);
    if (!isSent) return;
    setAsking(false);
    setTried(false);
    drop();
  }
  async function test(): Promise<void> {
    setTried(true);
    if (wrong.title || wrong.body || busy) return;
    setBusy('test');
    await target.onTest({ title, body });
    setBusy(null);
  }
  return {
    place: target,
    draft,
    change,
    sent,
    isLater,
    wrong,
    tried,
    setTried,
    reach,
    count,
    /** Whether the press opens a confirmation first. */
    asks: notify !== null && (target.alwaysAsks || count === null || count > CONFIRM_ABOVE),
    isAsking,
    setAsking,
    busy,
    send,
    test,
  };
}
