/** What the demo says of itself, on a phone as on a wide screen. */
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DemoFrame } from '../../../app/features/demo/demo-frame.tsx';
import type { Instance } from '../../../app/features/demo/instance.ts';
import { draw } from '../support.tsx';

test('the demo says that it starts over when it is reloaded, in few words where there is little room', async () => {
  const instance = { role: () => 'member', isAway: () => false, takeNotices: () => [], onNotices: () => undefined };
  const none = async () => undefined;
  await draw(
    <DemoFrame instance={instance as unknown as Instance} become={none} reset={none} show={() => undefined}>
      {null}
    </DemoFrame>,
  );
  expect(screen.getByText(/closing or reloading it starts over/).className).toBe('only-wide');
  expect(screen.getByText('Reloading starts over.').className).toBe('only-phone');
});
