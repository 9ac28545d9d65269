/** Draft names of the leaders' forms, shared because another page can prefill one. */

export const announcementDraft = (communityId: string): string => `announcement:${communityId}`;
/** A new task by its community's id; an existing one by its own. */
export const taskDraft = (id: string): string => `task:${id}`;
