const page = (): string => document.documentElement.lang || 'en';

/** Formats thousandths of a dollar, X's billing unit: three digits where they matter. */
export const dollars = (thousandths: number): string =>
  new Intl.NumberFormat(page(), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  }).format(thousandths / 1_000);

/** `November 2026` for `2026-11`. */
export const monthWord = (month: string): string =>
  new Intl.DateTimeFormat(page(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`));
