import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { dollars, monthWord } from '../../../lib/dollars.ts';
import { number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { Hatch } from '../../../ui/icon.tsx';
import { Reading } from '../../../ui/states.tsx';

/** This month's costs of queries to X, and their limit. */
export function XSpending({ communityId }: { communityId: string }) {
  const query = useQuery(read('GET /api/communities/:communityId/x', { communityId }));
  return (
    <section>
      <SectionHead title={m.xtask_leader_title()} />
      <Reading query={query}>
        {({ configured, budget, spent, calls, month }) => {
          const words = m.xtask_leader_spent({
            spent: dollars(spent),
            budget: dollars(budget),
            month: monthWord(month),
          });
          return (
            <Card className="narrow-column">
              {!configured && <p>{m.xtask_leader_unset()}</p>}
              {configured && budget === 0 && <p>{m.xtask_leader_none()}</p>}
              {configured && budget > 0 && (
                <div className="stack">
                  <p>
                    <b>{words}</b>
                  </p>
                  <Hatch done={Math.min(1, spent / budget)} label={words} />
                  <p className="text-small text-muted">
                    {budget - spent < 50
                      ? m.xtask_leader_used_up()
                      : m.xtask_leader_calls({ count: calls, n: number(calls) })}
                  </p>
                </div>
              )}
            </Card>
          );
        }}
      </Reading>
    </section>
  );
}
