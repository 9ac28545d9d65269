import { expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';

test.each([
  ['postgres://muster@[::1]/muster', ['::1'], 5432],
  ['postgres://muster@[2001:db8::7]:6543/muster', ['2001:db8::7'], 6543],
  ['postgres://muster@db.example:6543/muster', ['db.example'], 6543],
])('%s is where it says', (url, host, port) => {
  const { options } = connectTo(url);
  expect([options.host, options.port]).toEqual([host, [port]]);
});
