import '../../ui/dot-list.css';
import {
  type Block,
  forDevice,
  type Guide,
  type GuidePage,
  type GuideSection,
  type Inline,
} from '../../../server/contract/guide-text.ts';
import { guides } from '../../../server/contract/guides.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Steps } from '../../ui/prose.tsx';

/** A page's guide by id. Throws for an unknown one, which its screen would silently leave out. */
export function guideOf(page: GuidePage, id: string): Guide {
  const guide = guides.find((one) => one.page === page && one.id === id);
  if (!guide) throw new Error(`there is no guide ${page}/${id}`);
  return guide;
}

/** A guide's text with strong words, code and links. */
export function Line({ text, device }: { text: readonly Inline[]; device: string }) {
  return text.map((part, at) => {
    // Pieces of a line have no ids and never move.
    const key = `${at}`;
    if (typeof part === 'string') return forDevice(part, device);
    if ('strong' in part) return <b key={key}>{part.strong}</b>;
    if ('code' in part) return <code key={key}>{part.code}</code>;
    return (
      <AddressLink key={key} address={part.to} className="text-link">
        {part.link}
      </AddressLink>
    );
  });
}

const keyOf = (text: readonly Inline[]): string => text.map((part) => JSON.stringify(part)).join('');

/** A section's summary: its first paragraph. */
export const FirstLine = ({ section, device }: { section: GuideSection; device: string }) => {
  const [first] = section.blocks;
  return first?.kind === 'paragraph' ? <Line text={first.text} device={device} /> : null;
};

/** A guide's paragraphs and lists, in order. `kind` marks each item of its lists as allowed (`yes`) or not (`no`). */
export function Blocks({
  blocks,
  device,
  kind = 'yes',
}: {
  blocks: readonly Block[];
  device: string;
  kind?: 'yes' | 'no';
}) {
  return blocks.map((block) => {
    if (block.kind === 'paragraph')
      return (
        <p key={keyOf(block.text)}>
          <Line text={block.text} device={device} />
        </p>
      );
    const items = block.items.map((item) => ({ key: keyOf(item), line: <Line text={item} device={device} /> }));
    if (block.ordered) return <Steps key={items[0]?.key} steps={items} />;
    return (
      <ul key={items[0]?.key} className={`dot-list dot-list--${kind}`}>
        {items.map(({ key, line }) => (
          <li key={key}>{line}</li>
        ))}
      </ul>
    );
  });
}
