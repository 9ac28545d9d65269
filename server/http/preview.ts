import { escaped } from '../domain/markup.ts';

/** What a preview of a link shows of a page: Open Graph (https://ogp.me), which messengers and social sites read. */
export type Preview = {
  title: string;
  description: string;
  url: string;
  image: { url: string; width: number; height: number; alt: string };
};

/** The app's page with a shared link's head: the same for everyone. */
export function withPreview(html: string, preview: Preview, siteName: string): string {
  const { title, description, url, image } = preview;
  const tags: [name: string, content: string][] = [
    ['og:type', 'website'],
    ['og:site_name', siteName],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image.url],
    ['og:image:width', String(image.width)],
    ['og:image:height', String(image.height)],
    ['og:image:alt', image.alt],
    ['twitter:card', image.width > image.height ? 'summary_large_image' : 'summary'],
  ];
  const head = tags.map(([name, content]) => `<meta property="${name}" content="${escaped(content)}">`).join('');
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/(<meta name="description" content=")[^"]*/, (_, start: string) => start + escaped(description))
    .replace('</head>', () => `${head}</head>`);
}
