/** The camera that looks for a code. */
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Scanner } from '../../../app/shared/answers/scanner.tsx';

const look = (getUserMedia: () => Promise<unknown>) => {
  vi.stubGlobal('navigator', Object.create(navigator, { mediaDevices: { value: { getUserMedia } } }));
  render(<Scanner isWanted={async () => false} onCode={() => undefined} onStop={() => undefined} />);
};

test('that looks can be stopped', async () => {
  look(() => new Promise(() => undefined));
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Stop the camera']);
});

test('that was refused can be tried again; there is nothing to stop', async () => {
  look(() => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')));
  await screen.findByRole('alert');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Try the camera again']);
});
