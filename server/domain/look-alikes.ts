/**
 * Letters of other scripts and other forms that a reader takes for a Latin one: the part of Unicode's confusables (UTS 39)
 * that people can type with common keyboards. Capitals apart from small ones, since those look like other letters.
 */
const ALIKE: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ А: 'a', В: 'b', Е: 'e', Ѕ: 's', І: 'l', Ј: 'j', К: 'k', М: 'm', Н: 'h', О: 'o', Р: 'p', С: 'c', Т: 't', У: 'y' },
  ...{ Х: 'x', Ԁ: 'd', Ԍ: 'g', Ԛ: 'q', Ԝ: 'w', Ү: 'y', Ӏ: 'l', Ь: 'b', Ѵ: 'v', З: '3', Ғ: 'f', Һ: 'h' },
  ...{ а: 'a', в: 'b', г: 'r', е: 'e', ѕ: 's', і: 'l', ј: 'j', к: 'k', м: 'm', н: 'h', о: 'o', п: 'n', р: 'p', с: 'c' },
  ...{ т: 't', у: 'y', х: 'x', ԁ: 'd', ԍ: 'g', ԛ: 'q', ԝ: 'w', ү: 'y', ӏ: 'l', ь: 'b', ѵ: 'v', з: '3', һ: 'h', ґ: 'r' },
  // Greek
  ...{ Α: 'a', Β: 'b', Ε: 'e', Ζ: 'z', Η: 'h', Ι: 'l', Κ: 'k', Μ: 'm', Ν: 'n', Ο: 'o', Ρ: 'p', Τ: 't', Υ: 'y', Χ: 'x' },
  ...{ α: 'a', β: 'b', γ: 'y', ε: 'e', η: 'n', ι: 'l', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', σ: 'o', τ: 't', υ: 'u', χ: 'x' },
  ...{ ω: 'w', ϲ: 'c', ϳ: 'j', Ϲ: 'c', Ϳ: 'j' },
  // Armenian
  ...{ ա: 'w', ց: 'g', զ: 'q', հ: 'h', յ: 'j', ո: 'n', ս: 'u', օ: 'o', ք: 'p', Օ: 'o', Ս: 'u', Լ: 'l', Տ: 's' },
  // Latin
  ...{ ı: 'l', ɑ: 'a', ɡ: 'g', ɩ: 'l', ʟ: 'l', ʏ: 'y', ᴏ: 'o', ᴄ: 'c', ᴠ: 'v', ᴡ: 'w', ᴢ: 'z', ø: 'o', Ø: 'o', ł: 'l' },
  ...{ Ł: 'l', đ: 'd', Đ: 'd', ħ: 'h', ŧ: 't', ƒ: 'f', ĸ: 'k', ß: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe', ǀ: 'l' },
  // Digits and signs
  ...{ '|': 'l', '¡': 'l', '∣': 'l', '٠': 'o', '۰': 'o', '०': 'o', '١': 'l', '۱': 'l' },
};

/**
 * What a reader's eye makes of a text: letters and digits that are easily taken for each other become one, accents and what
 * is not seen go, and so does everything but letters, digits and symbols. Two texts of one skeleton look alike. Empty for a
 * text of signs alone.
 */
export function skeleton(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  const latin = [...plain]
    .map((letter) => ALIKE[letter] ?? ALIKE[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('');
  return asciiSkeleton(latin.replace(/[^\p{L}\p{N}\p{S}]/gu, ''));
}

/** The same of small Latin letters, digits and hyphens, with `i` among the others because capital I is. */
export const asciiSkeleton = (name: string): string =>
  name.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('0', 'o').replace(/[1i|]/g, 'l').replaceAll('5', 's');
