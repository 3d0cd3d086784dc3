import { sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import type { ExperimentKey } from './experiment-key.ts'

/** The task that each prompt names in one version, or in the version that was pushed last and has the prompt; null for none. */
export const findNamedTasks = (db: Database, { organizationId, experimentId }: ExperimentKey, version: string | null) =>
  db
    .selectDistinctOn([sql`prompt ->> 'id'`], {
      prompt: sql<string>`prompt ->> 'id'`,
      task: sql<string | null>`prompt ->> 'task'`,
    })
    .from(sql`${experimentVersions}, jsonb_array_elements(${experimentVersions.definition} -> 'prompts') as prompt`)
    .where(
      sql`${experimentVersions.organizationId} = ${organizationId} and ${experimentVersions.experimentId} = ${experimentId}
        ${version === null ? sql`` : sql`and ${experimentVersions.fingerprint} = ${version}`}`,
    )
    .orderBy(sql`prompt ->> 'id'`, sql`${experimentVersions.pushedAt} desc`)
