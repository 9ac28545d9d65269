import './badges.css';
import type { Badge, BadgeCode } from '../../../server/contract/badges.ts';
import { m } from '../../paraglide/messages.js';
import { BadgeArt } from '../../ui/badge.tsx';
import { day } from '../../ui/format.ts';
import { BADGE_CODES, BADGE_WORDS } from './badge-words.ts';

/** When each was first earned. The same badge of several communities is one. */
function earnedAt(badges: readonly Badge[]): Map<BadgeCode, string> {
  const first = new Map<BadgeCode, string>();
  for (const { code, earnedAt } of badges) {
    const before = first.get(code);
    if (before === undefined || earnedAt < before) first.set(code, earnedAt);
  }
  return first;
}

/** The whole set: what is earned and since when, and what earns the rest. */
export function BadgeGrid({ badges }: { badges: readonly Badge[] }) {
  const earned = earnedAt(badges);
  const codes = [...BADGE_CODES].sort((a, b) => Number(earned.has(b)) - Number(earned.has(a)));
  return (
    <ul className="badge-list">
      {codes.map((code) => {
        const at = earned.get(code);
        return (
          <li key={code}>
            <BadgeArt code={code} earned={at !== undefined} />
            <b>{BADGE_WORDS[code].name()}</b>
            <span className="text-tiny text-muted">
              {at === undefined ? BADGE_WORDS[code].how() : m.member_badge_earned({ date: day(at) })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
