import * as z from 'zod/mini';

export const CommunityRole = z.enum(['leader', 'moderator', 'member']);
export type CommunityRole = z.infer<typeof CommunityRole>;

export const CommunitySummary = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  languages: z.array(z.string()),
  visibility: z.enum(['public', 'private']),
  members: z.number(),
  openTasks: z.number(),
  /** Whether it has leagues. A copy that an earlier build stored says nothing of it. */
  leagues: z.optional(z.boolean()),
  /** First in the directory, by an administrator's word. A copy that an earlier build stored says nothing of it. */
  featured: z.optional(z.boolean()),
  /** The asker's role there, null for a stranger or somebody signed out. */
  role: z.nullable(CommunityRole),
});
export type CommunitySummary = z.infer<typeof CommunitySummary>;
