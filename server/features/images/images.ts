import { createHash } from 'node:crypto';
import type { ISql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { IMAGE_SIDE_MAX_PX, IMAGES_PER_MEMBER_DAY, UNUSED_IMAGE_RETENTION_MS } from '../../contract/limits.ts';
import { isId } from '../../domain/ids.ts';
import type { Bytes, FileAnswer } from '../../http/handler.ts';
import { type ImageType, readPicture, tooManyPixels } from './inspect.ts';

type ImageScope = { communityId: string; imageId: string; userId: string };
type Stored = { id: string; width: number; height: number };

/**
 * Stores a picture under its device's id. The same bytes again change nothing. Throws 422 `IMAGE_TOO_LARGE` for too
 * many pixels, 422 `IMAGE_INVALID` when it is not entirely a picture of its type, 409 `IMAGE_EXISTS` where the id is
 * used otherwise, 429 `TOO_MANY_IMAGES` beyond `IMAGES_PER_MEMBER_DAY`, 404 for an invalid id.
 */
export async function storeImage(
  sql: ISql,
  { communityId, imageId, userId, now }: ImageScope & { now: Date },
  { type, bytes }: Bytes<ImageType>,
): Promise<Stored> {
  if (!isId(imageId)) throw notFound('picture');
  const picture = readPicture(type, bytes);
  if (!picture) {
    const large = tooManyPixels(type, bytes);
    if (large)
      throw new HttpError(
        422,
        'IMAGE_TOO_LARGE',
        `This picture is ${large.width} × ${large.height} pixels, and a side may have ${IMAGE_SIDE_MAX_PX} at most. Make it smaller and send it again.`,
        { details: { width: large.width, height: large.height, limit: IMAGE_SIDE_MAX_PX } },
      );
    throw new HttpError(422, 'IMAGE_INVALID', 'This is not a picture that can be shown. Choose another one.');
  }
  const { width, height } = picture;
  await linkImage(sql, { communityId, imageId, userId, now }, { type, width, height, bytes: picture.bytes });
  return { id: imageId, width, height };
}

/**
 * Keeps what a member sends along with a claim, a picture or a file (then without sides), under the id its device made.
 * Throws 409 `IMAGE_EXISTS` and 429 `TOO_MANY_IMAGES`.
 */
export async function linkImage(
  sql: ISql,
  { communityId, imageId, userId, now }: ImageScope & { now: Date },
  { type, width, height, bytes }: { type: string; width: number | null; height: number | null; bytes: Buffer },
): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest();
  const isStored = async (): Promise<boolean> => {
    const same = await sql`
      select from images
      where id = ${imageId} and community_id = ${communityId} and user_id = ${userId} and sha256 = ${digest}`;
    return same.length > 0;
  };
  if (await isStored()) return;
  const [today] = await sql<{ count: number }[]>`
    select count(*)::int from images
    where user_id = ${userId} and created_at > ${now}::timestamptz - interval '1 day'`;
  if ((today?.count ?? 0) >= IMAGES_PER_MEMBER_DAY) {
    throw new HttpError(429, 'TOO_MANY_IMAGES', `${IMAGES_PER_MEMBER_DAY} pictures and files a day are the most.`, {
      details: { limit: IMAGES_PER_MEMBER_DAY },
      retryAfterSeconds: 60 * 60,
    });
  }
  const made = await sql`
    insert into images (id, community_id, user_id, type, width, height, sha256, bytes, created_at)
    values (${imageId}, ${communityId}, ${userId}, ${type}, ${width}, ${height}, ${digest}, ${bytes}, ${now})
    on conflict (id) do nothing returning id`;
  // Another upload of the same may have been faster.
  if (made.length > 0 || (await isStored())) return;
  throw new HttpError(409, 'IMAGE_EXISTS', 'This id is already used for something else.');
}

/** The bytes of a picture: the asker's own, or any of the community for who reviews there. Throws 404 `NOT_FOUND`. */
export async function readImage(
  sql: ISql,
  { communityId, imageId, userId }: ImageScope,
): Promise<FileAnswer<ImageType>> {
  const [image] = isId(imageId)
    ? await sql<{ type: ImageType; bytes: Buffer }[]>`
        select i.type, i.bytes from images i
        join community_members m on m.community_id = i.community_id and m.user_id = ${userId}
        where i.id = ${imageId} and i.community_id = ${communityId} and i.type like 'image/%'
          and (i.user_id = m.user_id or m.role in ('leader', 'moderator'))`
    : [];
  if (!image) throw notFound('picture');
  return { type: image.type, content: image.bytes, name: null };
}

/** Deletes pictures and files that no claim came to show. */
export async function sweepImages({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  await sql`
    delete from images where claim_id is null and created_at < ${new Date(now().getTime() - UNUSED_IMAGE_RETENTION_MS)}`;
}
