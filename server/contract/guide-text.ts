/** Shape and text of a guide, for code that does not need all guides. */

/** A piece of a line: words, or words with a meaning. A link leads to a page of ours. */
export type Inline = string | { strong: string } | { code: string } | { link: string; to: string };
export type Block = { kind: 'paragraph'; text: Inline[] } | { kind: 'list'; ordered: boolean; items: Inline[][] };
/** `id` is the fragment of its address; `also` are other words for it. */
export type GuideSection = { id: string; title: string; also: string; blocks: Block[] };
export type GuidePage = 'how-to-use' | 'learn-more';
export type Guide = {
  page: GuidePage;
  id: string;
  title: string;
  /** Text before the first section. */
  intro: Block[];
  sections: GuideSection[];
};

const lineOf = (inline: readonly Inline[]): string =>
  inline.map((part) => (typeof part === 'string' ? part : Object.values(part)[0])).join('');
/** The words of a guide without any form, a line for each paragraph and each entry of a list. */
export const textOf = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.kind === 'paragraph' ? [lineOf(block.text)] : block.items.map(lineOf))).join('\n');

/** A guide's text for this device: `{device}` is replaced by "phone" or "computer". */
export const forDevice = (text: string, device: string): string => text.replaceAll('{device}', device);
