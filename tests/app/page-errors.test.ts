import { beforeAll, expect, test, vi } from 'vitest';
import { captureErrors } from '../../app/lib/logs.ts';

const device = vi.hoisted(() => ({
  appendLog: vi.fn(async (_kind: string, _data: Record<string, unknown>) => undefined),
}));
vi.mock('../../app/lib/device.ts', () => ({ device, onDeviceEvent: () => () => undefined }));

beforeAll(() => captureErrors());

test('an uncaught error of the page becomes an entry of the error kind, with every field of the specification', () => {
  const error = new RangeError('out of strokes');
  window.dispatchEvent(
    new ErrorEvent('error', { error, message: error.message, filename: 'https://m.example/assets/a.js', lineno: 3 }),
  );
  const [kind, entry] = device.appendLog.mock.lastCall ?? [];
  expect(kind).toBe('error');
  expect(entry).toMatchObject({
    message: expect.stringContaining('out of strokes'),
    stack: expect.stringContaining('out of strokes'),
    source: expect.any(String),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    additionalData: expect.objectContaining({ line: 3 }),
  });
});

test('so does a rejection that nobody caught', () => {
  const event = Object.assign(new Event('unhandledrejection'), { reason: new Error('nobody waited') });
  window.dispatchEvent(event);
  const [kind, entry] = device.appendLog.mock.lastCall ?? [];
  expect(kind).toBe('error');
  expect(entry?.['message']).toContain('nobody waited');
});
