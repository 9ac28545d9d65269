import { initials } from '../lib/format.ts';

const TINTS = ['avatar--tint-a', 'avatar--tint-b', 'avatar--tint-c', 'avatar--tint-d', 'avatar--tint-e'] as const;
/** The same name has the same colour on every device. */
function tintOf(key: string): string {
  let sum = 0;
  for (const letter of key) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return TINTS[sum % TINTS.length] ?? 'avatar--tint-a';
}
type Size = 28 | 36 | 48 | 72;
const sizeClass = (size: Size) => (size === 36 ? '' : ` avatar--${size}`);

/** A person: a circle with initials, shown beside the name. */
export function PersonAvatar({ name, size = 36 }: { name: string; size?: Size }) {
  return (
    <span className={`avatar ${tintOf(name)}${sizeClass(size)}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

export function CommunityAvatar({ name, size = 36 }: { name: string; size?: Size }) {
  return (
    <span className={`avatar avatar--community ${tintOf(name)}${sizeClass(size)}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
