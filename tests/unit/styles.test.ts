import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const app = resolve(import.meta.dirname, '../../app');
const filesOf = (ending: string): string[] =>
  readdirSync(app, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending) && !name.startsWith('paraglide/'));
const read = (file: string) => readFileSync(join(app, file), 'utf8');

/** A rule of a stylesheet, those within `@media` too. */
type Rule = { file: string; selectors: string[]; declarations: string[] };
function rulesOf(file: string): Rule[] {
  const text = read(file).replace(/\/\*.*?\*\//gs, '');
  return [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, head = '', body = '']) => {
    const named = head.split(';').at(-1)?.trim() ?? '';
    const isSelector = !/^(@|from|to|\d+%)/.test(named);
    const selectors = isSelector ? named.split(/,(?![^(]*\))/).map((one) => one.trim()) : [];
    return [{ file, selectors, declarations: body.split(';').map((one) => one.trim()) }];
  });
}

const sheets = filesOf('.css').filter((file) => file !== 'ui/styles.css');
const rules = sheets.flatMap(rulesOf);
const components = filesOf('.tsx');
const classesOf = (selector: string): string[] => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? [];
/** `task-card__points--struck` is a part of the block `task-card`. */
const blockOf = (name: string): string => name.split(/__|--/)[0] ?? name;
const blocksOf = (selector: string): string[] => [...new Set(classesOf(selector).map(blockOf))];

/** The stylesheets of a block: where it is styled by itself, or else where a selector names it beside others. */
const owners = new Map<string, Set<string>>();
const own = (block: string, file: string) => owners.set(block, (owners.get(block) ?? new Set()).add(file));
const each = (tell: (selector: string, file: string) => void) => {
  for (const { file, selectors } of rules) for (const selector of selectors) tell(selector, file);
};
each((selector, file) => {
  const [block, ...others] = blocksOf(selector);
  if (block !== undefined && others.length === 0) own(block, file);
});
const alone = new Set(owners.keys());
each((selector, file) => {
  for (const block of blocksOf(selector)) if (!alone.has(block)) own(block, file);
});

/** What stands in a component's `className`: words of plain strings, and the strings of an expression. */
function namesIn(source: string): string[] {
  return [...source.matchAll(/className=(?:"([^"]*)"|\{)/g)].flatMap((found) => {
    if (found[1] !== undefined) return found[1].split(/\s+/).filter(Boolean);
    let depth = 1;
    let end = found.index + found[0].length;
    for (; depth > 0; end += 1) depth += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
    const strings = source.slice(found.index, end).match(/'[^']*'|`[^`]*`/g) ?? [];
    return strings.flatMap((text) => text.match(/[a-zA-Z][\w-]*/g) ?? []);
  });
}

test('a block of classes is styled by one stylesheet', () => {
  expect(owners.size).toBeGreaterThan(150);
  expect([...owners].filter(([, files]) => files.size > 1).map(([block, files]) => [block, ...files])).toEqual([]);
});

test('a stylesheet reaches nothing outside its component: each selector names a class of it', () => {
  const stray: string[] = [];
  each((selector, file) => {
    if (file === 'ui/base.css' || file === 'ui/tokens.css') return;
    if (!blocksOf(selector).some((block) => owners.get(block)?.has(file))) stray.push(`${file}: ${selector}`);
  });
  expect(stray).toEqual([]);
});

/** What every page has: the design system. */
const listed = [...read('ui/styles.css').matchAll(/@import "\.\/([^"]+)";/g)].map(([, name]) => `ui/${name}`);

test('a component imports the stylesheet of each class that it wears, but of the design system', () => {
  const missing: string[] = [];
  for (const file of components) {
    const source = read(file);
    const imported = [...source.matchAll(/^import '(\.[^']+\.css)';$/gm)].map(([, path = '']) =>
      join(dirname(file), path).replaceAll('\\', '/'),
    );
    for (const name of namesIn(source)) {
      const [owner] = owners.get(blockOf(name)) ?? [];
      if (owner && !listed.includes(owner) && !imported.includes(owner)) missing.push(`${file}: ${name} of ${owner}`);
    }
    for (const sheet of imported)
      if (
        !listed.includes(sheet) &&
        sheet !== 'ui/styles.css' &&
        !namesIn(source).some((name) => owners.get(blockOf(name))?.has(sheet))
      )
        missing.push(`${file}: wears nothing of ${sheet}`);
  }
  expect(missing).toEqual([]);
});

test('the design system is one list of stylesheets, each of them there and once, and no component imports one of them', () => {
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter((sheet) => !sheets.includes(sheet))).toEqual([]);
  const imported = components.flatMap((file) =>
    [...read(file).matchAll(/^import '(\.[^']+\.css)';$/gm)].map(([, path = '']) =>
      join(dirname(file), path).replaceAll('\\', '/'),
    ),
  );
  expect(listed.filter((sheet) => imported.includes(sheet))).toEqual([]);
  expect(sheets.filter((sheet) => !listed.includes(sheet) && !imported.includes(sheet))).toEqual([]);
  expect(read('main.tsx')).toMatch(/^import '\.\/ui\/styles\.css';/);
});

test('each class that is styled is worn, and each that is worn is styled', () => {
  const sources = [...components, 'index.html', 'public/boot.js'].map(read).join('\n');
  const styled = new Set<string>();
  each((selector) => {
    for (const name of classesOf(selector)) styled.add(name);
  });
  /** `day--counted` may be written as `day--` and a state. */
  const isWorn = (name: string) =>
    new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(sources) ||
    sources.includes(`${name.replace(/(--|-)[^-]*$/, '$1')}\${`);
  expect([...styled].filter((name) => !isWorn(name))).toEqual([]);
  const plain = components.flatMap((file) =>
    [...read(file).matchAll(/className="([^"]*)"/g)].map(([, names]) => names),
  );
  const worn = new Set(plain.flatMap((names) => names?.split(/\s+/) ?? []).filter(Boolean));
  expect([...worn].filter((name) => !styled.has(name))).toEqual([]);
});

/** Words of fewer than five letters that anybody reads. */
const SHORT = new Set(['card', 'chip', 'icon', 'mark', 'page', 'tour']);
/** Parts of names that are as short as they sound. */
const PARTS = new Set(['in', 'me', 'no']);
test('a newcomer reads each name: five letters at least or a plain word, no part an abbreviation', () => {
  const names = new Set<string>();
  each((selector) => {
    for (const name of classesOf(selector)) names.add(name);
  });
  const isReadable = (name: string) =>
    (name.length >= 5 || SHORT.has(name)) &&
    name.split(/--|__|-/).every((part) => part.length >= 3 || PARTS.has(part) || /^(\d+|[a-e])$/.test(part));
  expect([...names].filter((name) => !isReadable(name))).toEqual([]);
});

test('what is shown first is written first: a drawn page is shown while it arrives, and nothing moves for what comes later', () => {
  const drawn = sheets.filter((file) => /^(ui|features\/(guides|landing|legal|shell))\//.test(file));
  const moved = rules.filter(
    ({ file, declarations }) => drawn.includes(file) && declarations.some((one) => /^order:|-reverse$/.test(one)),
  );
  expect(drawn.length).toBeGreaterThan(40);
  expect(moved.map(({ file, selectors }) => `${file}: ${selectors}`)).toEqual([]);
});

test('colours, steps of space and corners come from the tokens, and nothing overrules by importance without a reason', () => {
  const tokens = new Set(['--radix-toast-swipe-move-x']);
  for (const file of sheets) for (const [name] of read(file).matchAll(/--[\w-]+(?=:)/g)) tokens.add(name);
  expect(tokens.size).toBeGreaterThan(50);
  const wrong: string[] = [];
  for (const { file, selectors, declarations } of rules) {
    if (file === 'ui/tokens.css') continue;
    for (const one of declarations) {
      const [property = ''] = one.split(':');
      // From 42 px on a space is room for something else: an icon, a button, the bar at the bottom.
      const isStep =
        /^(padding|margin|gap|row-gap|column-gap)/.test(property) && /(?<![\w.])([3-9]|[123]\d|4[01])px/.test(one);
      const isCorner = /radius$/.test(property) && /(?<![\w.])([3-9]|\d\d+)px/.test(one);
      const isRaw = /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(|:\s*(black|white|red|green|blue|gr[ae]y)\b/i.test(one);
      const unknown = [...one.matchAll(/var\((--[\w-]+)/g)].some(([, name = '']) => !tokens.has(name));
      if (isStep || isCorner || isRaw || unknown || one.includes('!important'))
        wrong.push(`${file} ${selectors}: ${one}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** A phone held across, a desk, a column beside: and two for large letters on a narrow screen. */
const WIDTHS = ['639px', '640px', '899px', '900px', '1179px', '1180px', '17em', '21em'];
test('pages change at three widths, and where letters are large', () => {
  const asked = sheets.flatMap((file) =>
    [...read(file).matchAll(/^@media[^{]*?\((?:min|max)-width: ([^)]+)\)/gm)].map(([, width = '']) => ({
      file,
      width,
    })),
  );
  expect(asked.length).toBeGreaterThan(80);
  // The width at which toasts move is named by the specification.
  const isNamed = ({ file, width }: (typeof asked)[number]) =>
    WIDTHS.includes(width) || (file === 'ui/toast.css' && width === '768px');
  expect(asked.filter((one) => !isNamed(one))).toEqual([]);
});
