import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import type { Block, Guide, GuidePage, GuideSection, Inline } from '../contract/guide-text.ts';

const NAME = 'virtual:guides';
const RESOLVED = `\0${NAME}`;
const PAGES: readonly GuidePage[] = ['how-to-use', 'learn-more'];

/**
 * Compiles the guides' Markdown to data, so neither a parser nor HTML is sent to browsers (Trusted Types).
 * @param folder with a folder for each page
 */
export function guides({ folder }: { folder: string }): Plugin {
  return {
    name: 'muster:guides',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      return `export const guides = ${JSON.stringify(readGuides(folder, (file) => this.addWatchFile(file)))};`;
    },
  };
}

/** Every guide, in the order of the pages and of the files' numbers. Throws with the file's name for what cannot be shown. */
export function readGuides(folder: string, onFile: (file: string) => void = () => undefined): Guide[] {
  return PAGES.flatMap((page) =>
    readdirSync(join(folder, page))
      .filter((name) => /^\d\d-[a-z-]+\.md$/.test(name))
      .sort()
      .map((name) => {
        const file = join(folder, page, name);
        onFile(file);
        try {
          return guideOf(page, name.replace(/^\d\d-|\.md$/g, ''), readFileSync(file, 'utf8'));
        } catch (error) {
          throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
        }
      }),
  );
}

function guideOf(page: GuidePage, id: string, source: string): Guide {
  const [head, ...tokens] = marked.lexer(source).filter(({ type }) => type !== 'space');
  if (head?.type !== 'heading' || head.depth !== 1) throw new Error('a guide begins with its title, under one #');
  const guide: Guide = { page, id, title: lineOf(inlineOf(head.tokens)), intro: [], sections: [] };
  for (const token of tokens) {
    const section = guide.sections.at(-1);
    const also = /^<!-- also: (.*) -->\s*$/.exec(token.raw)?.[1];
    if (token.type === 'heading') guide.sections.push(sectionOf(id, token as Tokens.Heading));
    else if (also !== undefined && section) section.also = also;
    else (section?.blocks ?? guide.intro).push(blockOf(token));
  }
  return guide;
}

function sectionOf(guide: string, token: Tokens.Heading): GuideSection {
  if (token.depth !== 2) throw new Error(`"${token.text}": a section stands under ##`);
  const title = lineOf(inlineOf(token.tokens));
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return { id: `${guide}-${slug}`, title, also: '', blocks: [] };
}

function blockOf(token: Token): Block {
  if (token.type === 'paragraph') return { kind: 'paragraph', text: inlineOf(token.tokens) };
  if (token.type !== 'list') throw new Error(`"${token.raw.slice(0, 40)}" is neither a paragraph nor a list`);
  const { ordered, items } = token as Tokens.List;
  return { kind: 'list', ordered, items: items.map((item) => inlineOf(item.tokens)) };
}

function inlineOf(tokens: Token[] = []): Inline[] {
  return tokens.flatMap((token): Inline[] => {
    switch (token.type) {
      case 'text':
        return token.tokens ? inlineOf(token.tokens) : [plain(token.text)];
      case 'escape':
        return [plain(token.text)];
      case 'strong':
        return [{ strong: plain(token.text) }];
      case 'codespan':
        return [{ code: plain(token.text) }];
      case 'link':
        if (!/^\/[\w/#-]*$/.test(token.href)) throw new Error(`${token.href} is no page of ours`);
        return [{ link: plain(token.text), to: token.href }];
      default:
        throw new Error(`"${token.raw.slice(0, 40)}" cannot be shown`);
    }
  });
}

/** The parser gives text as it stands in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const plain = (text: string): string => text.replace(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity);

const lineOf = (inline: Inline[]): string =>
  inline.map((part) => (typeof part === 'string' ? part : Object.values(part)[0])).join('');
