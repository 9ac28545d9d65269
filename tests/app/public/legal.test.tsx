import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { LegalScreen } from '../../../app/features/legal/legal-screen.tsx';
import { plain, policies } from '../../../app/features/legal/policies.ts';
import { diffLines, diffPolicy } from '../../../app/features/legal/policy-diff.ts';
import { isCurrent, POLICIES, type PolicyName, versionOf } from '../../../server/contract/policies.ts';
import { STORED_GROUPS } from '../../../server/contract/stored.ts';
import { draw } from '../support.tsx';

const NAMES = Object.keys(POLICIES) as PolicyName[];
const TOKENS = { product: '{product}', host: '{host}', isSecure: true };

test.each(NAMES)('the text of %s is the one that is archived under its version', async (name) => {
  const text = `${JSON.stringify(plain(policies[name](TOKENS)), null, 2)}\n`;
  // Red: the text changed. Give it a new version in `server/contract/policies.ts`, and write its archive with `-u`.
  await expect(text).toMatchFileSnapshot(
    `../../../app/features/legal/versions/${name}-${versionOf(name).version}.json`,
  );
});

test('every version has its own number and a later day, and is archived', () => {
  const files = Object.keys(import.meta.glob('../../../app/features/legal/versions/*.json'));
  for (const name of NAMES) {
    const versions = POLICIES[name];
    expect(new Set(versions.map(({ version }) => version)).size).toBe(versions.length);
    expect(versions.map(({ since }) => since)).toEqual(versions.map(({ since }) => since).toSorted());
    // The first version of a page that was never changed is its present one.
    for (const { version } of versions)
      expect(
        files.some((file) => file.endsWith(`/${name}-${version}.json`)),
        `${name} ${version}`,
      ).toBe(true);
  }
});

test('who agreed to an older version is asked again only where something material came after', () => {
  const versions = [
    { version: '1', since: '2026-01-01', isMaterial: true },
    { version: '2', since: '2026-02-01', isMaterial: false },
    { version: '3', since: '2026-03-01', isMaterial: true },
    { version: '4', since: '2026-04-01', isMaterial: false },
  ];
  expect(['1', '2', '3', '4', 'never'].map((agreed) => isCurrent('terms', agreed, versions))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

describe('the privacy policy', () => {
  test('says of every kind of data what it is, why, how long, and what a download and an erasure do', async () => {
    const { container } = await draw(<LegalScreen page="privacy" />);
    const stored = within(container.querySelector('#stored') as HTMLElement);
    const terms = stored.getAllByRole('term');
    expect(terms).toHaveLength(STORED_GROUPS.length);
    for (const term of terms) {
      const said = term.parentElement?.textContent ?? '';
      for (const word of ['Why: ', 'How long: ', 'In your download: ', 'When you are erased: '])
        expect(said).toContain(word);
      expect(said).not.toMatch(/How long: \.|undefined|NaN/);
    }
    expect(container.textContent).toContain('/your-data');
  });

  test('shows what changed since the version before, line by line, for eyes and for a screen reader', async () => {
    const { container } = await draw(<LegalScreen page="privacy" />);
    expect(container.querySelector('ins')).toBeNull();
    const details = container.querySelector('details') as HTMLDetailsElement;
    details.open = true;
    fireEvent(details, new Event('toggle'));
    await screen.findAllByText(/Was in version 2\.1/);
    expect(container.querySelector('del')?.textContent).not.toContain('{host}');
    expect(
      [...container.querySelectorAll('del')].some(({ textContent }) =>
        textContent?.includes('as long as this place runs. In'),
      ),
    ).toBe(true);
    expect(
      [...container.querySelectorAll('ins')].some(({ textContent }) =>
        textContent?.includes('parts of it, at most 1 minute'),
      ),
    ).toBe(true);
  });
});

test('a diff keeps what both have in order, and leaves out parts that say the same', () => {
  expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
    { kind: 'added', text: 'd' },
  ]);
  const same = { title: 'Same', lines: ['one'] };
  expect(diffPolicy([same, { title: 'Old', lines: ['gone'] }], [same, { title: 'New', lines: ['come'] }])).toEqual([
    { title: 'Old', lines: [{ kind: 'removed', text: 'gone' }] },
    { title: 'New', lines: [{ kind: 'added', text: 'come' }] },
  ]);
});
