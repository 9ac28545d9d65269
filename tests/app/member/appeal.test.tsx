import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Appeal } from '../../../app/features/claims/appeal.tsx';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { click, draw } from '../support.tsx';
import { entryOf, taskOf } from './support.ts';

const device = vi.hoisted(() => ({ keep: (_act: unknown) => {} }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  enqueue: async (made: unknown) => {
    device.keep(made);
    return 'entry-1';
  },
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const claim = { id: 'k1', state: 'rejected', appeal: null } as const;
function Room() {
  const [entry, setEntry] = useState<OutboxEntry | null>(null);
  device.keep = (made) => setEntry(entryOf('appeal:k1', made as Partial<OutboxEntry>));
  return <Appeal communityId="c1" task={taskOf('t1')} claim={claim} mayAppeal={true} entry={entry} />;
}

test('an appeal that waits on this device shows what was written, and the reader goes on from there', async () => {
  await draw(<Room />);
  fireEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  const words = 'It was the ridge path, second stile.';
  fireEvent.change(screen.getByLabelText('Why it should count'), { target: { value: words } });
  await click(screen.getByRole('button', { name: 'Send appeal' }));
  const kept = screen.getByText(/^Appeal saved/);
  screen.getByText(`“${words}”`);
  expect(document.activeElement?.contains(kept)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

test('an appeal is long enough by what is seen of it, as the server counts', async () => {
  await draw(<Room />);
  fireEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  const write = (value: string) =>
    fireEvent.change(screen.getByLabelText('Why it should count'), { target: { value } });
  const send = () => screen.getByRole('button', { name: /^Send appeal/ });
  write('👍'.repeat(9));
  expect(send().getAttribute('aria-disabled') ?? String((send() as HTMLButtonElement).disabled)).toBe('true');
  write('👍'.repeat(10));
  expect(send().getAttribute('aria-disabled') ?? String((send() as HTMLButtonElement).disabled)).toBe('false');
});
