/** Words for refusals that carry details beside their reason: which one, by whom, until when, how much. */
import type { ErrorDetails } from '../../server/contract/refusals.ts';
import { m } from '../paraglide/messages.js';
import { calendarDay, day, listing, number, stampTime } from './format.ts';

/** A refusal's details. Every field is optional, because an older server may not send it. */
type Loose<T> = { [K in T extends unknown ? keyof T : never]?: T extends { [P in K]?: infer Value } ? Value : never };
type Worded = { [Reason in keyof ErrorDetails]: (details: Loose<ErrorDetails[Reason]>) => unknown };

const suspended = (what: string, { until, reason }: Loose<ErrorDetails['SUSPENDED']>): string =>
  [
    until ? m.error_suspended_until({ what, time: stampTime(until) }) : m.error_suspended({ what }),
    ...(reason ? [reason] : []),
    m.error_suspended_ask(),
  ].join(' ');

/** `setup.questions.2.text` is about a text, `tags.3` about a tag. */
const nameOf = (field: string): string =>
  m.error_field({ field: field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '' });

export const DETAILED: Worded = {
  ALREADY_CLAIMED: ({ of }) => (of === 'them' ? m.error_already_have() : m.error_already_claimed()),
  ALREADY_DECIDED: ({ claim, application }) => {
    if (application) return m.error_application_decided({ state: application.state });
    if (!claim) return m.error_already_decided();
    if (claim.appeal?.outcome === 'withdrawn') return m.error_claim_answered_again();
    const { state, decidedBy } = claim;
    return decidedBy ? m.error_claim_decided({ state, name: decidedBy }) : m.error_claim_checked({ state });
  },
  ANSWERED_AGAIN: () => m.error_answered_again(),
  APPEAL_USED: () => m.error_appeal_used(),
  CAP_REACHED: ({ cap, of }) => {
    if (of === 'them') return m.error_cap_reached_them({ cap: cap ?? '' });
    return cap === 'total' ? m.error_cap_reached_total() : cap === 'member' ? m.error_cap_reached_member() : null;
  },
  CHAT_NOT_CONNECTED: ({ sort }) => sort && m.error_chat_not_connected({ sort }),
  CLAIM_CHANGED: ({ claim }) =>
    claim?.appeal?.outcome === 'open' ? m.error_claim_appealed() : m.error_claim_changed(),
  CODE_WRONG: ({ why }) => m.error_code_wrong({ why: why ?? '' }),
  COMMUNITY_SUSPENDED: (details) => suspended('community', details),
  DATE_NOT_ALLOWED: ({ problem, earliest, latest }) =>
    problem === 'early'
      ? earliest && m.error_date_early({ date: calendarDay(earliest) })
      : latest && m.error_date_late({ date: calendarDay(latest) }),
  DATE_OUT_OF_RANGE: ({ field, days }) => {
    if (field !== 'endsAt') return m.error_date_range({ field: field ?? '' });
    return days ? m.error_season_end({ days: number(days) }) : m.error_season_over();
  },
  EVIDENCE_REQUIRED: ({ asks }) => (asks ? m.error_evidence_asked({ asks }) : m.error_evidence_required()),
  INVALID_INPUT: ({ problems }) => {
    const [{ field, fault = '', limit = 0 } = { field: '' }] = problems ?? [];
    return m.error_input({ fault, field: nameOf(field), limit: number(limit) });
  },
  MESSAGE_NOT_HERE: ({ title }) => (title ? m.error_message_not_here({ title }) : m.error_message_link()),
  NOT_ALLOWED: ({ needs }) => m.error_not_allowed({ needs: needs ?? '' }),
  NOT_FOUND: ({ what }) => m.error_not_found({ what: what ?? '' }),
  NOT_SEEN_YET: ({ why, title = '', at, count = 0, needed = 0, minLength = 0 }) => {
    if (why === 'no_chat') return m.error_not_seen_no_chat();
    if (why === 'messages')
      return m.error_not_seen_messages({
        title,
        count: number(count),
        needed: number(needed),
        minLength: number(minLength),
      });
    if (why && at) return m.error_not_seen_out({ why, title, time: stampTime(at) });
    return why && m.error_not_seen({ why, title });
  },
  MODEL_FAILED: ({ isCounted }) => (isCounted === false ? m.error_model_away() : m.error_model_failed()),
  NOT_VERIFIED: ({ of }) => (of === 'them' ? m.error_them_not_verified() : m.error_not_verified()),
  NUMBER_NOT_ALLOWED: ({ problem, min, max, decimals = 0, unit }) => {
    const amount = (value: number) => (unit ? `${number(value)} ${unit}` : number(value));
    if (problem === 'low') return typeof min === 'number' && m.error_number_low({ min: amount(min) });
    if (problem === 'high') return typeof max === 'number' && m.error_number_high({ max: amount(max) });
    return decimals === 0 ? m.error_number_whole() : m.error_number_decimals({ decimals: number(decimals) });
  },
  ONLY_LEADER: ({ communities = [] }) =>
    communities.length > 0 && m.error_only_leader({ communities: listing(communities.map(({ name }) => name)) }),
  PARTNERSHIP_LIMIT: ({ whose }) => m.error_partnership_limit({ whose: whose ?? '' }),
  QUESTIONS_USED_UP: ({ whose }) => m.error_questions_used_up({ whose: whose ?? '' }),
  SUSPENDED: (details) => suspended('account', details),
  TASK_LOCKED: ({ season }) => (season ? m.error_task_locked_season({ season }) : m.error_task_locked_claims()),
  TIME_ZONE_LOCKED: ({ allowedAt }) => allowedAt && m.error_time_zone_locked({ date: day(allowedAt) }),
  URL_NOT_ALLOWED: ({ hosts = [], needs }) => {
    if (needs === 'open_https') return m.error_url_open();
    return hosts.length > 0 ? m.error_url_hosts({ hosts: listing(hosts, 'disjunction') }) : m.error_url_https();
  },
  X_RELINK_LOCKED: ({ allowedAt }) => allowedAt && m.error_x_relink_locked({ date: day(allowedAt) }),
};
