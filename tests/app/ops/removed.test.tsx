import { screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { AnalyticsScreen } from '../../../app/features/ops/analytics/analytics-screen.tsx';
import { ClientLogsScreen } from '../../../app/features/ops/logs/client-logs-screen.tsx';
import { OverviewScreen } from '../../../app/features/ops/overview/overview-screen.tsx';
import { createQueryClient, userQuery } from '../../../app/lib/query.ts';
import { aUser, draw, fakeServer, refusal } from '../support.tsx';

beforeEach(() => {
  fakeServer().answer(() => refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED'));
});

const screens: [string, ComponentType][] = [
  ['/admin', OverviewScreen],
  ['/admin/analytics', AnalyticsScreen],
  ['/admin/client-logs', ClientLogsScreen],
];
test.each(screens)('somebody who was removed reads Access Restricted at %s', async (path, Page) => {
  await draw(<Page />, path);
  await screen.findByRole('heading', { name: 'Access Restricted' });
});
test.each(screens)('whoever runs the instance and is removed while it is open reads so at %s', async (path, Page) => {
  const client = createQueryClient();
  client.setQueryData(userQuery.queryKey, { ...aUser, role: 'admin' } as never, { updatedAt: 1 });
  await draw(<Page />, path, client);
  await screen.findByRole('heading', { name: 'Access Restricted' });
  expect(screen.getAllByRole('heading', { name: 'Access Restricted' })).toHaveLength(1);
});
