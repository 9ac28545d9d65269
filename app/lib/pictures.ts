let source = (communityId: string, imageId: string): string => `/api/communities/${communityId}/images/${imageId}`;

export const pictureSource = (communityId: string, imageId: string): string => source(communityId, imageId);
/** Reads pictures from another source: the demo has them in memory. */
export function readPicturesFrom(other: typeof source): void {
  source = other;
}
