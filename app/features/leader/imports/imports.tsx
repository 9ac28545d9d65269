import './imports.css';
import { useQuery } from '@tanstack/react-query';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { Reading } from '../../../ui/states.tsx';
import { Exports } from './exports.tsx';
import { ImportDone } from './import-done.tsx';
import { MoveIn } from './move-in.tsx';

/** Interval for polling an import whose points are still being written, milliseconds. */
const REFETCH_MS = 2_000;

/** Imports data from other products, and exports the community's. */
export function Imports({ community }: { community: CommunitySummary }) {
  const reading = read('GET /api/communities/:communityId/imports', { communityId: community.id });
  const query = useQuery({
    ...reading,
    refetchInterval: ({ state }) =>
      state.data?.some(({ settling, undoing }) => settling.people + undoing > 0) ? REFETCH_MS : false,
  });
  return (
    <>
      <MoveIn communityId={community.id} />
      <SectionHead title={m.import_past()} />
      <Reading query={query}>
        {(imports) =>
          imports.length === 0 ? (
            <Card>
              <p className="text-small text-muted">{m.import_none()}</p>
            </Card>
          ) : (
            <ul className="import-list">
              {imports.map((one) => (
                <li key={one.id}>
                  <ImportDone done={one} community={community} />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <Exports communityId={community.id} />
    </>
  );
}
