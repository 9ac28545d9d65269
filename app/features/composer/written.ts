import type { Campaign, CampaignAudience, Notify, ReachQuery } from '../../../server/contract/campaigns.ts';
import type { CommunityRole } from '../../../server/contract/community.ts';
import { fromLocal, toLocal } from '../../lib/dates.ts';

export type Written = {
  title: string;
  body: string;
  pin: boolean;
  pinnedUntil: string;
  notify: boolean;
  /** One of the target's `who`. */
  who: string;
  role: string;
  minPoints: string;
  activeDays: string;
  /** `own`: in each member's time zone. */
  when: 'now' | 'later' | 'own';
  sendAt: string;
};
export const BLANK: Written = {
  title: '',
  body: '',
  pin: false,
  pinnedUntil: '',
  notify: true,
  who: 'everyone',
  role: 'all',
  minPoints: '',
  activeDays: '',
  when: 'now',
  sendAt: '',
};
export type Sent = { title: string; body: string; pinnedUntil: string | null; notify: Notify | null };

export type Who = {
  value: string;
  title: string;
  line: string;
  /** Null: the fields below choose. */
  audience: CampaignAudience | null;
};

export const ROLES: readonly CommunityRole[] = ['member', 'moderator', 'leader'];
const [POINTS_MAX, DAYS_MAX] = [999_999, 365];
/** No filter when empty; larger numbers become the maximum. */
const wholeOf = (text: string, most: number): number | undefined => Math.min(Number(text), most) || undefined;

export function audienceOf(draft: Written, who: readonly Who[]): CampaignAudience {
  const fixed = who.find(({ value }) => value === draft.who)?.audience;
  if (fixed) return fixed;
  const role = ROLES.find((one) => one === draft.role);
  const minPoints = wholeOf(draft.minPoints, POINTS_MAX);
  const activeDays = wholeOf(draft.activeDays, DAYS_MAX);
  return { ...(role && { roles: [role] }), ...(minPoints && { minPoints }), ...(activeDays && { activeDays }) };
}

export type When = Pick<Notify, 'sendAt' | 'localTime'>;
export const NOW: When = { sendAt: null };

export const reachQuery = (
  { roles, minPoints, activeDays }: CampaignAudience,
  { sendAt, localTime }: When,
): Required<{ [K in keyof ReachQuery]: ReachQuery[K] | undefined }> => ({
  roles: roles?.join(','),
  minPoints: minPoints === undefined ? undefined : String(minPoints),
  activeDays: activeDays === undefined ? undefined : String(activeDays),
  sendAt: localTime ? undefined : (sendAt ?? undefined),
  localTime: localTime ?? undefined,
});

const isSame = (a: CampaignAudience, b: CampaignAudience): boolean =>
  String(a.roles ?? '') === String(b.roles ?? '') && a.minPoints === b.minPoints && a.activeDays === b.activeDays;

type AnnouncedText = { title: string; body: string; pinnedUntil: string | null; campaign: Campaign | null };
/** A sent announcement as composer fields; null when the composer cannot express its audience. */
export function writtenOf({ title, body, pinnedUntil, campaign }: AnnouncedText, who: readonly Who[]): Written | null {
  const pin = { pin: pinnedUntil !== null, pinnedUntil: toLocal(pinnedUntil) };
  const words = { ...BLANK, title, body, ...pin, notify: campaign !== null };
  if (campaign === null) return words;
  const { audience, sendAt, localTime } = campaign;
  const when = localTime
    ? ({ when: 'own', sendAt: localTime } as const)
    : ({ when: 'later', sendAt: toLocal(sendAt) } as const);
  const fixed = who.find((one) => one.audience !== null && isSame(one.audience, audience));
  if (fixed) return { ...words, ...when, who: fixed.value };
  const chosen = who.find((one) => one.audience === null);
  const [role, ...others] = audience.roles ?? [];
  if (!chosen || others.length > 0) return null;
  const { minPoints, activeDays } = audience;
  const filters = { minPoints: String(minPoints ?? ''), activeDays: String(activeDays ?? '') };
  return { ...words, ...when, who: chosen.value, role: role ?? 'all', ...filters };
}

function whenOf({ when, sendAt }: Written): When {
  if (when === 'own') return { sendAt: null, localTime: sendAt };
  return { sendAt: when === 'later' ? fromLocal(sendAt) : null };
}

export function sentOf(draft: Written, who: readonly Who[]): Sent {
  return {
    title: draft.title.trim(),
    body: draft.body.trim(),
    pinnedUntil: draft.pin ? fromLocal(draft.pinnedUntil) : null,
    notify: draft.notify ? { ...whenOf(draft), audience: audienceOf(draft, who) } : null,
  };
}
