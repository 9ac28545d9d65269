import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;
/** What is wrong, and with which name of the environment. */
type Trouble = { name: string; problem: string; example: string };

/**
 * The value of a secret: of `NAME`, of the file that `NAME_FILE` names, or of systemd's credential of that name
 * (`LoadCredential=`), in this order. Null where there is none. Of a file one line break at its end is not part of the
 * secret. What is wrong is said without the file's content.
 */
export function secretOf(name: string, env: Environment): string | Trouble | null {
  const [value, file, credentials] = [name, `${name}_FILE`, 'CREDENTIALS_DIRECTORY'].map((one) => env[one]?.trim());
  const example = `/etc/muster/${name.toLowerCase().replaceAll('_', '-')}`;
  if (value && file) return { name: `${name}_FILE`, problem: `is given beside ${name}: give one of them`, example };
  if (value) return value;
  if (file) return contentOf(file, (problem) => ({ name: `${name}_FILE`, problem: `${problem}: ${file}`, example }));
  if (!credentials) return null;
  const path = join(credentials, name);
  const trouble = (problem: string) => ({ name, problem: `${problem}, as a credential of systemd: ${path}`, example });
  return contentOf(path, (problem, code) => (code === 'ENOENT' ? null : trouble(problem)));
}

function contentOf<T>(path: string, trouble: (problem: string, code?: string) => T): string | T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return trouble(`cannot be read (${code})`, code);
  }
  if (text.trim() === '') return trouble('is empty');
  return /\p{Cc}/u.test(text) ? trouble('must be one line of text') : text;
}
