import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SignInFailure } from '../../../app/features/landing/sign-in-failure.tsx';
import { LegalScreen } from '../../../app/features/legal/legal-screen.tsx';
import { NewUserExplorationScreen } from '../../../app/features/onboarding/new-user-exploration-screen.tsx';
import { draw, fakeServer, refusal } from '../support.tsx';

beforeEach(() => fakeServer().answer(() => refusal(401, 'NOT_SIGNED_IN')));
afterEach(() => {
  history.replaceState({}, '', '/');
  document.body.replaceChildren();
});

describe('why a sign-in did not work', () => {
  test.each([
    ['SIGN_IN_CANCELLED', 'You said no to Telegram'],
    ['SIGN_IN_EXPIRED', 'That sign-in has expired'],
    ['TELEGRAM_UNAVAILABLE', 'Telegram did not answer'],
    ['TELEGRAM_NOT_CONFIGURED', 'Sign-in isn’t set up here yet'],
    ['SUSPENDED', 'This account is suspended'],
    ['something-new', 'Sign-in failed'],
    ['__proto__', 'Sign-in failed'],
  ])('%s is told in plain words', async (reason, words) => {
    history.replaceState({}, '', `/?sign-in=${reason}`);
    await draw(<SignInFailure />);
    expect(screen.getByRole('alert').textContent).toContain(words);
  });
  test('nothing is said when nothing was tried', async () => {
    await draw(<SignInFailure />);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('policies', () => {
  test.each(['guidelines', 'privacy', 'terms', 'cookies'] as const)(
    '%s: dated, versioned, every part reachable',
    async (page) => {
      const { container } = await draw(<LegalScreen page={page} />);
      expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
      expect(container.textContent).toMatch(/November 2[1-9], 2026|2[1-9] November 2026/);
      expect(container.textContent).toMatch(/version [12]\.\d/);
      const links = [...container.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
      expect(links.length).toBeGreaterThan(2);
      for (const link of links) expect(container.querySelector(link.hash), link.hash).not.toBeNull();
    },
  );
});

describe('the tour', () => {
  test('goes from pencil to refused, again, and to ink', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { container } = await draw(<NewUserExplorationScreen />);
    const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
    press('Send the answer');
    expect(container.querySelector('.pencil-card')).not.toBeNull();
    press('Next step');
    press('Find a signal');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    press('Next step');
    press('Don’t count it');
    expect(container.querySelector('.quote')?.textContent).toContain('Which ford?');
    press('Try again');
    press('Count it');
    press('Finish');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('That’s all');
    press('Start over');
    expect(screen.getByRole('img', { name: '0 of 3 done' })).toBeTruthy();
  });
});
