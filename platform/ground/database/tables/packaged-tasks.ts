import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import type { Prompt, RunEnvironment } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import { organizationReference } from './identity.ts'

/** What a task folder adds to a definition: an environment, and a prompt for each of its wordings. */
export type TaskParts = { environment: RunEnvironment; prompts: Prompt[] }

/**
 * The task folders of packages as they were read once, by their name and the hash of their tar. Versions share them. `outline` is
 * short and part of each version's definition, and `whole` has the texts. `files` is the package that runs need; the first of them
 * makes it.
 */
export const packagedTasks = pgTable(
  'packaged_tasks',
  {
    organizationId: organizationReference(),
    tarSha256: text().notNull(),
    name: text().notNull(),
    outline: jsonb().$type<TaskParts>().notNull(),
    whole: jsonb().$type<TaskParts>().notNull(),
    files: jsonb().$type<VersionFile[]>(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.tarSha256, table.name] })],
)
