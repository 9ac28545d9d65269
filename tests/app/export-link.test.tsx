import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ExportLink } from '../../app/ui/export-link.tsx';

test('a file that the server makes is a link, and without a connection a button that says what it needs', () => {
  const { unmount } = render(
    <ExportLink to="/api/x?format=csv" label="Members as CSV">
      {'CSV'}
    </ExportLink>,
  );
  expect(screen.getByRole('link', { name: 'Members as CSV' }).getAttribute('href')).toBe('/api/x?format=csv');
  unmount();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  render(<ExportLink to="/api/x?format=csv">{'CSV'}</ExportLink>);
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByRole('button', { name: 'CSV: needs a connection' }).getAttribute('aria-disabled')).toBe('true');
});
