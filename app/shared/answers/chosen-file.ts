import { FILE_BYTES, FILE_NAME_MAX } from '../../../server/contract/limits.ts';
import { fileTypeOf } from '../../../server/kinds/file/rules.ts';

/** A file ready to send, typed by its content rather than its name; else why it cannot be sent. */
export type ChosenFile = { name: string } & ({ kind: 'ready'; bytes: Blob } | { kind: 'too_large' | 'unreadable' });

/** Checks a file as the server will. @throws when this browser can no longer read it */
export async function chooseFile(file: File): Promise<ChosenFile> {
  // A long name is cut in the middle: its start identifies it, its end gives the type.
  const name = file.name.length <= FILE_NAME_MAX ? file.name : `${file.name.slice(0, 80)}…${file.name.slice(-30)}`;
  if (file.size > FILE_BYTES) return { name, kind: 'too_large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = fileTypeOf(bytes);
  return type === null ? { name, kind: 'unreadable' } : { name, kind: 'ready', bytes: new Blob([bytes], { type }) };
}
