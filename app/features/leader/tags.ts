/** Tags as they are typed, with commas or on lines of their own: small letters, each once. */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean),
  ),
];
