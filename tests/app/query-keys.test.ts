import { describe, expect, test } from 'vitest';
import { createQueryClient, read } from '../../app/lib/query.ts';
import { isForVisitors, keyOf, type ReadScope, readsOf, updateReads } from '../../app/lib/query-keys.ts';
import { routes } from '../../server/contract/routes.ts';
import { dashboardOf } from './member/support.ts';

const dashboard = (communityId: string) => keyOf('GET /api/communities/:communityId/dashboard', { communityId });
const found = (queryKey: readonly string[], ...filter: Parameters<typeof readsOf>) =>
  readsOf(...filter).predicate({ queryKey });

test('what a visitor may ask for is what the contract gives to all', () => {
  /** No page reads these by name: probes, sign-in, documents, what other sites read. */
  const BESIDE =
    /^GET \/(livez|readyz|\.well-known\/|api\/(public\/|embed\/|auth\/telegram\/|health|openapi\.json|communities\/:communityId\/card|ledger\/public-key))/;
  const asked = Object.entries(routes).filter(([key]) => key.startsWith('GET ') && !BESIDE.test(key));
  for (const [key, { access }] of asked) {
    const url = key.slice('GET '.length).replace(/:\w+/g, 'some-name');
    expect([key, isForVisitors(url), isForVisitors(`${url}?x=y`)]).toEqual([
      key,
      access === 'public',
      access === 'public',
    ]);
  }
});

describe('cached reads are named by the routes of the contract', () => {
  test('a route finds its reads with any parameter and any query, and no other route', () => {
    const review = keyOf('GET /api/communities/:communityId/review', { communityId: 'a/b' }, { state: 'approved' });
    expect(found(review, ['GET /api/communities/:communityId/review'])).toBe(true);
    expect(found(dashboard('rv'), ['GET /api/communities/:communityId/review'])).toBe(false);
    expect(found(dashboard('rv'), ['GET /api/communities/:communityId'])).toBe(false);
    expect(found(keyOf('GET /api/communities'), ['GET /api/communities/:communityId'])).toBe(false);
  });

  test('parameters narrow it, as they stand in the address', () => {
    const review = keyOf('GET /api/communities/:communityId/review', { communityId: 'a/b' });
    expect(found(review, ['GET /api/communities/:communityId/review'], { communityId: 'a/b' })).toBe(true);
    expect(found(review, ['GET /api/communities/:communityId/review'], { communityId: 'a' })).toBe(false);
  });

  test('`/*` finds what lies beneath an address, not the address itself', () => {
    expect(found(dashboard('rv'), ['GET /api/communities/*'])).toBe(true);
    expect(found(keyOf('GET /api/communities'), ['GET /api/communities/*'])).toBe(false);
    expect(found(keyOf('GET /api/communities'), ['GET /api/*'])).toBe(true);
    expect(found(['membership-check'], ['GET /api/*'])).toBe(false);
  });

  test('what the contract does not declare does not compile', () => {
    const declared: ReadScope[] = ['GET /api/user/ledger', 'GET /api/admin/client-logs/*'];
    // @ts-expect-error no such route
    declared.push('GET /api/user/ledgers');
    // @ts-expect-error nothing lies beneath
    declared.push('GET /api/user/ledgers/*');
    // @ts-expect-error a command is no read
    declared.push('POST /api/communities');
    // @ts-expect-error no such parameter
    readsOf(['GET /api/communities/:communityId'], { taskId: 'a' });
    expect(declared).toHaveLength(5);
  });

  test('what a read shows is changed where it changes, and left alone where it does not', () => {
    const client = createQueryClient();
    const ours = read('GET /api/communities/:communityId/dashboard', { communityId: 'walkers' }).queryKey;
    const theirs = read('GET /api/communities/:communityId/dashboard', { communityId: 'readers' }).queryKey;
    for (const key of [ours, theirs]) client.setQueryData(key, dashboardOf([]), { updatedAt: 1 });
    updateReads(client, 'GET /api/communities/:communityId/dashboard', {}, (shown, url) =>
      url === '/api/communities/walkers/dashboard' ? { ...shown, points: 5 } : shown,
    );
    expect(client.getQueryData(ours)?.points).toBe(5);
    expect(client.getQueryState(theirs)).toMatchObject({ data: { points: 1240 }, dataUpdatedAt: 1 });
  });
});
