import './install-drawing.css';
import type { ReactNode } from 'react';

/** What to look for on each platform, in the style of the other drawings; the control to press is marigold. */
const DRAWINGS: Record<'ios' | 'android' | 'desktop', ReactNode> = {
  // Safari's toolbar with Share, then the entry with the plus.
  ios: (
    <>
      <path
        className="install-drawing__pen"
        d="M22 12H64Q70 12 70 18V98Q70 104 64 104H22Q16 104 16 98V18Q16 12 22 12Z"
      />
      <path className="install-drawing__faint" d="M16 74H70M25 90H29M57 90H61" />
      <path className="install-drawing__press" d="M43 92V80M39 84L43 80L47 84M36 87V98H50V87" />
      <path
        className="install-drawing__pen"
        d="M112 34H178Q184 34 184 40V76Q184 82 178 82H112Q106 82 106 76V40Q106 34 112 34Z"
      />
      <path className="install-drawing__faint" d="M116 46H152M116 70H146" />
      <path className="install-drawing__press" d="M160 58H174M167 51V65" />
      <path className="install-drawing__faint" d="M80 58H94M89 53L94 58L89 63" />
    </>
  ),
  // The browser's three-dot menu with Install.
  android: (
    <>
      <path
        className="install-drawing__pen"
        d="M22 12H64Q70 12 70 18V98Q70 104 64 104H22Q16 104 16 98V18Q16 12 22 12Z"
      />
      <path className="install-drawing__faint" d="M16 30H70M24 21H50" />
      <path className="install-drawing__press" d="M62 17V17.1M62 21V21.1M62 25V25.1" />
      <path
        className="install-drawing__pen"
        d="M112 24H178Q184 24 184 30V86Q184 92 178 92H112Q106 92 106 86V30Q106 24 112 24Z"
      />
      <path className="install-drawing__faint" d="M134 38H168M134 78H160" />
      <path className="install-drawing__press" d="M120 50V62M115 57L120 62L125 57M114 66H126M134 58H172" />
      <path className="install-drawing__faint" d="M80 58H94M89 53L94 58L89 63" />
    </>
  ),
  // A wide window's address bar with the install icon at its end.
  desktop: (
    <>
      <path
        className="install-drawing__pen"
        d="M20 16H180Q186 16 186 22V94Q186 100 180 100H20Q14 100 14 94V22Q14 16 20 16Z"
      />
      <path className="install-drawing__faint" d="M14 46H186M24 31V31.1M31 31V31.1M38 31V31.1" />
      <path className="install-drawing__pen" d="M54 24H170Q176 24 176 31Q176 38 170 38H54Q48 38 48 31Q48 24 54 24Z" />
      <path className="install-drawing__faint" d="M58 31H104" />
      <path className="install-drawing__press" d="M164 27V34M161 32L164 35L167 32" />
      <path className="install-drawing__faint" d="M30 62H110M30 76H92" />
    </>
  ),
};

/** A drawing of the steps; hidden from screen readers, since the text says the same. */
export function InstallDrawing({ platform }: { platform: keyof typeof DRAWINGS }) {
  return (
    <svg className="install-drawing" viewBox="0 0 200 116" aria-hidden="true">
      {DRAWINGS[platform]}
    </svg>
  );
}
