import type { ReactNode } from 'react';

/** `gate` entry refused, `done` all counted, `empty` nobody yet, `apart` no copy here, `broken` failure. */
export type IllustrationName = 'gate' | 'done' | 'empty' | 'apart' | 'broken';

const ground = <path className="illustration__ground" d="M6 112H194" />;
const DRAWINGS: Record<IllustrationName, ReactNode> = {
  gate: (
    <>
      <path className="illustration__ink" d="M84 40L82 104M112 40L113 104M140 40L138 104M168 40L169 104" />
      <path className="illustration__cross" d="M66 88L186 54" />
      <path className="illustration__outsider" d="M35 54L33 98" />
      <circle className="illustration__outsider-head" cx="36" cy="41" r="5.6" />
    </>
  ),
  done: (
    <>
      <path className="illustration__ink" d="M56 40L54 104M86 40L87 104M116 40L114 104M146 40L147 104" />
      <path className="illustration__cross" d="M34 92L168 48" />
    </>
  ),
  empty: (
    <>
      <path className="illustration__ink" d="M41 48L39 98" />
      <circle className="illustration__ink-head" cx="42" cy="35" r="5.6" />
      <rect className="illustration__slot" x="71" y="42" width="10" height="60" rx="5" transform="rotate(2 76 72)" />
      <rect className="illustration__slot" x="101" y="42" width="10" height="60" rx="5" transform="rotate(-1 106 72)" />
      <rect className="illustration__slot" x="131" y="42" width="10" height="60" rx="5" transform="rotate(3 136 72)" />
      <rect className="illustration__slot" x="161" y="42" width="10" height="60" rx="5" transform="rotate(1 166 72)" />
    </>
  ),
  apart: (
    <>
      <path className="illustration__ink" d="M45 50L43 98" />
      <circle className="illustration__ink-head" cx="46" cy="37" r="5.6" />
      <rect className="illustration__pencil" x="65" y="50" width="10" height="54" rx="5" transform="rotate(3 70 74)" />
      <path className="illustration__ink" d="M140 46L139 104M158 46L159 104M176 46L175 104" />
      <path className="illustration__gap" d="M92 78H122" />
    </>
  ),
  broken: (
    <>
      <path className="illustration__ink" d="M40 46L38 104M72 46L73 104M104 46L102 104" />
      <path className="illustration__broken" d="M128 103L180 84" />
    </>
  ),
};

/** 200 × 116 on one ground line; decorative, so hidden from screen readers. */
export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg className="illustration" viewBox="0 0 200 116" aria-hidden="true">
      {DRAWINGS[name]}
      {ground}
    </svg>
  );
}
