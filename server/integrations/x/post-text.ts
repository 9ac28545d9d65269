/**
 * The words of a post from the HTML that X shows of it. A tag holds no other one: so each sign is looked at once, also of
 * HTML that is nothing but beginnings of tags.
 */
export const textOfPost = (html: string): string =>
  html.replace(/<[^<>]*>/g, ' ').replace(/&#(\d{1,7});/g, (_, code: string) => charOf(Number(code)));

const charOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
