import './badges.css';
import type { Badge, BadgeCode } from '../../../server/contract/badges.ts';
import { day, number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { BADGE_CODES, BADGE_WORDS } from '../../shared/boards/badge-words.ts';
import { BadgeArt } from '../../ui/badge.tsx';
import { SectionHead } from '../../ui/card.tsx';

/** When each was first earned; the same badge from several communities counts once. */
function earnedAt(badges: readonly Badge[]): Map<BadgeCode, string> {
  const first = new Map<BadgeCode, string>();
  for (const { code, earnedAt } of badges) {
    const before = first.get(code);
    if (before === undefined || earnedAt < before) first.set(code, earnedAt);
  }
  return first;
}

/** Earned badges with dates; collapsed, how to earn the others. */
export function Badges({ badges, missing }: { badges: readonly Badge[]; missing: (code: BadgeCode) => string | null }) {
  const earned = earnedAt(badges);
  const own = BADGE_CODES.filter((code) => earned.has(code));
  const others = BADGE_CODES.filter((code) => !earned.has(code));
  return (
    <>
      <SectionHead
        title={m.member_badges()}
        end={
          <span className="text-small text-muted">
            {m.member_badges_of({ earned: number(own.length), all: number(BADGE_CODES.length) })}
          </span>
        }
      />
      {own.length > 0 && (
        <ul className="badge-list">
          {own.map((code) => (
            <li key={code}>
              <BadgeArt code={code} earned />
              <b>{BADGE_WORDS[code].name()}</b>
              <span className="text-tiny text-muted">{day(earned.get(code) ?? '')}</span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details className="disclosure" open={own.length === 0}>
          <summary className="badge-list__more">{m.member_badges_more({ count: others.length })}</summary>
          <ul className="badge-list">
            {others.map((code) => (
              <li key={code}>
                <BadgeArt code={code} earned={false} />
                <b>{BADGE_WORDS[code].name()}</b>
                <span className="text-tiny text-muted">{missing(code) ?? BADGE_WORDS[code].how()}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
