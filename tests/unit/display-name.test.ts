import { expect, test } from 'vitest';
import { displayName } from '../../server/integrations/telegram/display-name.ts';

test.each([
  ['Maya Lindqvist', 'Maya Lindqvist'],
  ['  Inês \u202eevil\u2066 ', 'Inês  evil'],
  ['김민지', '김민지'],
  ['👩‍🚀', '👩‍🚀'],
])('%j is shown as %j', (given, shown) => expect(displayName(given, 'handle', '123456')).toBe(shown));

test.each(['', ' \u00a0', '\u200b\u200d\ufeff', '\u3164', '\u2800 \u2800', '\u115f\u0301', '\u202e'])(
  '%j cannot be seen: the handle stands in, else the end of the number',
  (given) => {
    expect(displayName(given, 'handle', '123456')).toBe('handle');
    expect(displayName(given, null, '123456')).toBe('Member 3456');
  },
);
