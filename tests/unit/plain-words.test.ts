/** What every screen says is plain English: the habits that a native speaker stumbles over stay out of the catalogues. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const CATALOGUES = new URL('../../app/words/', import.meta.url);

/** Of contracts and policies, whose versions are kept word by word and are written as such texts are. */
const isLegal = (key: string) => /^public_(privacy|terms|cookies|guidelines|legal)_/.test(key);

/** Each with what to say instead. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [
    /\bstands? (here|there|in|on|below|above|behind|before|where)\b|\bwhat stands\b|\byou stand\b/i,
    'is shown, is listed',
  ],
  [/have it counted/i, 'earn, count'],
  [/\bof (its|his|her|your|my|a member’s|one’s) own\b/i, 'its own …'],
  [/\b(by|of) (itself|themselves)\b/i, 'automatically'],
  [/^so that\b|, so that\b|\. so that\b/i, 'so, to'],
  [/\bwants? none\b/i, 'opted out'],
  [/\bsomebody\b|\banybody\b|\beverybody\b/i, 'someone, anyone, everyone'],
  [/\belse than\b/i, 'other than'],
  [/^empty:|\. empty:/i, 'Leave empty for …'],
  [/\ba beginning\b|at the beginning/i, 'start, template'],
  [/\bwhoever\b/i, 'people who, the first to'],
  [/\banew\b/i, 'again'],
  [/\bbecame of\b/i, 'history'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bmended\b/i, 'fixed'],
  [/\bhalted?\b/i, 'pause'],
];

/** The texts of a message: itself, or those of its variants. */
function* textsOf(message: unknown): Generator<string> {
  if (typeof message === 'string') yield message;
  else if (Array.isArray(message)) for (const variant of message) yield* textsOf(variant);
  else if (message && typeof message === 'object')
    for (const [name, part] of Object.entries(message))
      if (name !== 'declarations' && name !== 'selectors') yield* textsOf(part);
}

test('no message has a habit that people read twice', () => {
  const found: string[] = [];
  let texts = 0;
  for (const file of readdirSync(CATALOGUES).filter((name) => name.endsWith('.json')))
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(new URL(file, CATALOGUES), 'utf8'))))
      for (const text of isLegal(key) ? [] : textsOf(message)) {
        texts += 1;
        for (const [habit, instead] of HABITS)
          if (habit.test(text)) found.push(`${key}: “${text}” (${habit.source}): say ${instead}`);
      }
  expect(found).toEqual([]);
  expect(texts).toBeGreaterThan(3_000);
});
