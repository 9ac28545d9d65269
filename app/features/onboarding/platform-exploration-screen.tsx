import './platform-exploration-screen.css';
import { isComplete } from '../../../server/rules/completion.ts';
import { PRODUCT_AI_PATH, product } from '../../lib/product.ts';
import { useUser } from '../../lib/query.ts';
import type { PageWithoutParams } from '../../lib/target.ts';
import { m } from '../../paraglide/messages.js';
import { AddressLink } from '../../ui/address-link.tsx';
import { Chip } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';

/** `members`: needs a complete account; `newcomers`: only without one, as the gate decides. */
type Room = {
  to: PageWithoutParams;
  icon: IconName;
  name: string;
  line: string;
  offline: string;
  members?: boolean;
  newcomers?: boolean;
};
type Group = { title: string; rooms: readonly Room[] };

/** One long function, because it is the list of all pages, in the language of the moment. */
const groups = (): readonly Group[] => [
  {
    title: m.public_map_do(),
    rooms: [
      {
        to: '/communities',
        icon: 'communities',
        name: m.shell_to_communities(),
        line: m.public_map_communities_line(),
        offline: m.public_map_communities_off(),
      },
      {
        to: '/explore-communities',
        icon: 'explore',
        name: m.shell_explore(),
        line: m.public_map_explore_line(),
        offline: m.public_map_explore_off(),
      },
    ],
  },
  {
    title: m.public_map_see(),
    rooms: [
      {
        to: '/leaderboard',
        icon: 'board',
        name: m.shell_leaderboard(),
        line: m.public_map_board_line(),
        offline: m.public_map_board_off(),
        members: true,
      },
      {
        to: '/profile',
        icon: 'you',
        name: m.shell_you(),
        line: m.public_map_profile_line(),
        offline: m.public_map_profile_off(),
        members: true,
      },
    ],
  },
  {
    title: m.public_map_know(),
    rooms: [
      {
        to: '/demo',
        icon: 'eye',
        name: m.demo_map(),
        line: m.demo_map_line(),
        offline: m.demo_map_off(),
        newcomers: true,
      },
      {
        to: '/new-user-exploration',
        icon: 'bolt',
        name: m.public_map_tour(),
        line: m.public_map_tour_line(),
        offline: m.public_map_always(),
        newcomers: true,
      },
      {
        to: '/web3-quiz',
        icon: 'quiz',
        name: m.quiz_title(),
        line: m.quiz_map_line(),
        offline: m.quiz_map_off(),
      },
      {
        to: '/how-to-use',
        icon: 'info',
        name: m.public_map_use(),
        line: m.public_map_use_line(),
        offline: m.public_map_always(),
      },
      {
        to: '/ai-assistant',
        icon: 'assistant',
        name: m.assistant_map(),
        line: m.assistant_map_line(),
        offline: m.assistant_map_off(),
        members: true,
      },
      {
        to: PRODUCT_AI_PATH,
        icon: 'assistant',
        name: m.assistant_map_public(),
        line: m.assistant_map_public_line(),
        offline: m.public_map_always(),
        newcomers: true,
      },
      {
        to: '/learn-more',
        icon: 'eye',
        name: m.shell_learn_more(),
        line: m.public_map_learn_line(),
        offline: m.public_map_always(),
      },
      {
        to: '/ai-defi-tools',
        icon: 'calculator',
        name: m.calc_title(),
        line: m.calc_map_line(),
        offline: m.public_map_always(),
      },
      {
        to: '/ai-tools',
        icon: 'edit',
        name: m.tools_map(),
        line: m.tools_map_line(),
        offline: m.public_map_always(),
      },
      {
        to: '/twitter-demo',
        icon: 'link',
        name: m.xdemo_map(),
        line: m.xdemo_map_line(),
        offline: m.xdemo_map_off(),
      },
    ],
  },
];

/** The product's pages: what each is for, and what it does offline. */
export function PlatformExplorationScreen() {
  const user = useUser();
  const isSetUp = Boolean(user && isComplete(user));
  return (
    <Screen title={m.public_map_title()} lead={m.public_map_lead({ product: product.name })}>
      {groups().map((group) => (
        <section key={group.title}>
          <div className="section-head">
            <h2>{group.title}</h2>
          </div>
          <ul className="room-grid">
            {group.rooms
              .filter((room) => !(room.newcomers && isSetUp))
              .map((room) => (
                <li key={room.to}>
                  <AddressLink address={room.to} className="card room-card">
                    <Icon name={room.icon} size={24} />
                    <div>
                      <h3>{room.name}</h3>
                      <p className="text-muted">{room.line}</p>
                      <p className="text-tiny room-card__off">
                        <Icon name="offline" size={16} />
                        {room.offline}
                      </p>
                      {room.members && !isSetUp && <Chip icon="lock">{m.public_map_signed_in()}</Chip>}
                    </div>
                  </AddressLink>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </Screen>
  );
}
