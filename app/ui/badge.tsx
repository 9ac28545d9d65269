import type { BadgeCode } from '../../server/contract/badges.ts';

/** The strokes inside each badge's edge, on a grid of 48; `c` is the stroke that crosses. */
const DRAWINGS: Record<BadgeCode, { strokes: string; c?: string; dots?: readonly (readonly [number, number])[] }> = {
  first_step: { strokes: 'M24 14v20' },
  ten_done: { strokes: 'M13 16v16M18 16v16M26 16v16M31 16v16', c: 'M10.5 28L21 19M24 28l10.5-9' },
  hundred_done: { strokes: 'M14 15v18M21 15v18M28 15v18M35 15v18', c: 'M10 30l28-13M10 24l28-13' },
  week_streak: {
    strokes: 'M12 29v-7M16 30v-9M20 31V20M24 32V19M28 31V18M32 30V17M36 29V16',
    c: 'M10 35c9-2 20-6 28-11',
  },
  month_streak: { strokes: 'M13 14h22v20H13zM13 20h22M20 14v-3M28 14v-3', c: 'M18 27l4.5 4L31 23.5' },
  level_five: { strokes: 'M11 35h6.5v-6H24v-6h6.5v-6H37', c: 'M24 14l3-3 3 3' },
  level_ten: { strokes: 'M11 36h5v-5h5v-5h5v-5h5v-5h6', c: 'M13 20l11-9 4 3' },
  all_rounder: {
    strokes: 'M24 12v8M24 28v8M12 24h8M28 24h8M15.5 15.5l5.5 5.5M27 27l5.5 5.5',
    c: 'M32.5 15.5L15.5 32.5',
  },
  good_host: {
    strokes: 'M16 34v-8M24 34V22M32 34v-8',
    c: 'M12 37h24',
    dots: [
      [16, 20],
      [24, 15],
      [32, 20],
    ],
  },
  steady_hand: { strokes: 'M15 33l14-19 5 4-14 18-7 2z', c: 'M26 18.5l5 4' },
  season_podium: { strokes: 'M12 35V26h8v-6h8v10h8v5z', c: 'M21 14h6' },
  season_winner: { strokes: 'M18 36V12M18 13c6-3 9 3 15 0l-2.5 6 2.5 6c-6 3-9-3-15 0', c: 'M13 36h11' },
};

/** A badge, 56 px: in ink when `earned`, else a dotted slot. Needs its name beside it. */
export function BadgeArt({ code, earned }: { code: BadgeCode; earned: boolean }) {
  const { strokes, c, dots = [] } = DRAWINGS[code];
  return (
    <svg className={earned ? 'badge' : 'badge badge--slot'} viewBox="0 0 48 48" aria-hidden="true">
      <circle className="badge__edge" cx="24" cy="24" r="22" />
      <path d={strokes} />
      {c && <path className="badge__cross" d={c} />}
      {dots.map(([x, y]) => (
        <circle key={x} className="badge__dot" cx={x} cy={y} r="2.6" />
      ))}
    </svg>
  );
}
