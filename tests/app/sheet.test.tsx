import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Sheet } from '../../app/ui/sheet.tsx';

test('word of its closing that comes once it is open anew does not close it again', () => {
  const onClose = vi.fn();
  render(
    <Sheet title="At the meeting point" open={true} onClose={onClose}>
      <p>Scan the code</p>
    </Sheet>,
  );
  const sheet = screen.getByRole<HTMLDialogElement>('dialog');
  sheet.dispatchEvent(new Event('close'));
  expect(onClose).not.toHaveBeenCalled();
  sheet.close();
  expect(onClose).toHaveBeenCalled();
});
