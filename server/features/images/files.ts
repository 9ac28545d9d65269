import type { ISql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { isId } from '../../domain/ids.ts';
import type { Bytes, FileAnswer } from '../../http/handler.ts';
import { fileTypeOf } from '../../kinds/file/rules.ts';
import type { FileType } from '../../kinds/file/shape.ts';
import { linkImage } from './images.ts';

type FileScope = { communityId: string; fileId: string; userId: string };

/**
 * Stores a file under its device's id, beside the member's pictures. The same bytes again change nothing. Throws 422
 * `FILE_INVALID` when its content is not of its type, 404 for an invalid id, and what `linkImage` throws.
 */
export async function storeFile(
  sql: ISql,
  { fileId, ...by }: FileScope & { now: Date },
  { type, bytes }: Bytes<FileType>,
): Promise<{ id: string }> {
  if (!isId(fileId)) throw notFound('file');
  if (fileTypeOf(bytes) !== type)
    throw new HttpError(
      422,
      'FILE_INVALID',
      'This is neither a whole PDF nor plain text in UTF-8. Choose another file.',
    );
  await linkImage(sql, { ...by, imageId: fileId }, { type, width: null, height: null, bytes });
  return { id: fileId };
}

/**
 * The bytes of a file, to be saved under the name that it was sent by: the asker's own, or any of the community for who
 * reviews there. Throws 404 `NOT_FOUND`.
 */
export async function readFile(sql: ISql, { communityId, fileId, userId }: FileScope): Promise<FileAnswer<FileType>> {
  const [file] = isId(fileId)
    ? await sql<{ type: FileType; bytes: Buffer; name: string | null }[]>`
        select i.type, i.bytes, c.evidence->>'name' as name from images i
        join community_members m on m.community_id = i.community_id and m.user_id = ${userId}
        left join claims c on c.id = i.claim_id and c.evidence->>'fileId' = i.id::text
        where i.id = ${fileId} and i.community_id = ${communityId} and i.type not like 'image/%'
          and (i.user_id = m.user_id or m.role in ('leader', 'moderator'))`
    : [];
  if (!file) throw notFound('file');
  return { type: file.type, content: file.bytes, name: savedAs(file.name, file.type) };
}

/** Its own name with the ending of what it is: a PDF that calls itself `.html` is saved as a PDF. */
function savedAs(name: string | null, type: FileType): string {
  const ending = type === 'application/pdf' ? '.pdf' : '.txt';
  const own = name ?? 'file';
  return own.toLowerCase().endsWith(ending) ? own : `${own}${ending}`;
}
