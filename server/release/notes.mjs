// @ts-check
const BEFORE = '### Before you upgrade';

/**
 * The notes of a release are its section of CHANGELOG.md, with what an operator reads first at the top. Throws where
 * there is no such section, or where it does not say what to do before an upgrade.
 * @param {string} changelog @param {string} version
 */
export function notesOf(changelog, version) {
  const section = changelog.split(/^(?=## )/m).find((one) => one.startsWith(`## ${version}\n`));
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
  const [, ...parts] = section.split(/^(?=### )/m).map((part) => part.trim());
  const before = parts.find((part) => part.startsWith(`${BEFORE}\n`));
  if (!before) throw new Error(`The section of ${version} in CHANGELOG.md has no part "${BEFORE}".`);
  return `# Muster ${version}\n\n${[before, ...parts.filter((part) => part !== before)].join('\n\n')}\n`;
}
