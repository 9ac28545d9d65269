import { escaped } from '../../domain/markup.ts';

/** The text of a card. */
export type CardWords = {
  name: string;
  slug: string;
  /** A line below the name: how many are there. */
  line: string;
  host: string;
  product: string;
};

const CARD_WIDTH = 1_200;
const CARD_HEIGHT = 630;

/** Letters that the fonts have. Names in other scripts are shown by their address. */
const DRAWABLE = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{Sc}\s+=<>|~^`]$/u;
const LINE = 24;
const LINES = 2;

/** A text without letters that cannot be drawn; `otherwise` where most of it could not. */
function drawable(text: string, otherwise: string): string {
  const letters = [...text.normalize('NFC')];
  const known = letters.filter((letter) => DRAWABLE.test(letter));
  const plain = known.join('').replace(/\s+/g, ' ').trim();
  return known.length * 2 > letters.length && plain !== '' ? plain : otherwise;
}

/** Words in lines of at most `LINE` letters; what is over is cut. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  const cut = (one: string) => (one.length > LINE ? `${one.slice(0, LINE - 1)}…` : one);
  const shown = lines.slice(0, LINES).map(cut);
  if (lines.length > LINES) shown[LINES - 1] = cut(`${shown[LINES - 1]} …`).replace(/ …$/, '…');
  return shown;
}

/** The picture of a community for previews of links: its name on the board, with the five-bar gate. */
export function cardSvg({ name, slug, line, host, product }: CardWords): string {
  const title = linesOf(drawable(name, slug));
  const first = title.length === 1 ? 330 : 280;
  // The fonts are variable, and only their thinnest cut can be drawn: a stroke of the same colour makes them bold.
  const heavy = (y: number, text: string) =>
    `<text x="80" y="${y}" font-size="84" fill="#f7f4e3" stroke="#f7f4e3" stroke-width="4.5" stroke-linejoin="round">${escaped(text)}</text>`;
  const plain = (y: number, text: string, colour: string) =>
    `<text x="80" y="${y}" font-size="36" fill="${colour}" stroke="${colour}" stroke-width="1.1">${escaped(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" font-family="Geologica">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="#0e3e2e"/>
<g fill="none" stroke-width="20" stroke-linecap="round" transform="translate(880 60) scale(.85)">
<path d="M62 20L56 200M112 46L113 200M164 46L162 200M214 20L220 200" stroke="#17503c"/><path d="M20 160L256 70" stroke="#f5b224"/></g>
${title.map((text, at) => heavy(first + at * 100, text)).join('')}
${plain(first + title.length * 100 - 10, drawable(line, ''), '#bcd2c3')}
${plain(560, `${drawable(product, 'Muster')} · ${host}`, '#bcd2c3')}
</svg>`;
}
