import { useQuery } from '@tanstack/react-query';
import { read, useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { State } from '../../ui/states.tsx';

/** Why there is nothing here yet, and the two ways on. Somebody who has communities is told so instead. */
export function NoCommunitiesScreen() {
  const user = useUser();
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: user !== null });
  const count = mine.data?.length ?? 0;
  return (
    <Screen title={m.public_none_title()}>
      {count > 0 ? (
        <State
          illustration="done"
          title={m.public_none_have_line({ count })}
          actions={<ButtonLink to="/communities">{m.public_none_open()}</ButtonLink>}
        />
      ) : (
        <State
          illustration="empty"
          title={m.public_none_head()}
          actions={
            <>
              <ButtonLink to="/explore-communities">{m.public_none_explore()}</ButtonLink>
              <ButtonLink kind="edge" to="/communities">
                {m.public_none_start()}
              </ButtonLink>
            </>
          }
        >
          <p>{m.public_none_line()}</p>
          <p className="sm">{m.public_none_why()}</p>
        </State>
      )}
    </Screen>
  );
}
