let source = (communityId: string, imageId: string): string => `/api/communities/${communityId}/images/${imageId}`;

/** The address at which a picture of a claim is read. */
export const pictureSource = (communityId: string, imageId: string): string => source(communityId, imageId);
/** From now on pictures are read elsewhere: the demo has them in memory. */
export function readPicturesFrom(other: typeof source): void {
  source = other;
}
