/** Names under which the leaders' forms keep what is begun in them, so that another page can begin one. */

/** What is announced to a community. */
export const announcementDraft = (communityId: string): string => `announcement:${communityId}`;
/** A new task of a community, by the community's id; one that is there, by its own. */
export const taskDraft = (id: string): string => `task:${id}`;
