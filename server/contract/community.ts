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
  /** Whether it has leagues. Copies from earlier builds lack it. */
  leagues: z.optional(z.boolean()),
  /** First in the directory, chosen by an administrator. Copies from earlier builds lack it. */
  featured: z.optional(z.boolean()),
  /** The caller's role there; null for a stranger. */
  role: z.nullable(CommunityRole),
});
export type CommunitySummary = z.infer<typeof CommunitySummary>;
