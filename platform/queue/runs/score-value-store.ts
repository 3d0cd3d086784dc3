import { sql } from 'drizzle-orm'

import { runs } from '#platform/ground/database/tables/runs.ts'

/** The value of a run's score, or null. A name with any characters is a parameter of the path. */
export const scoreValue = (name: string) =>
  sql`(jsonb_path_query_first(${runs.scores}, '$[*] ? (@.name == $name).value', jsonb_build_object('name', ${name}::text)) #>> '{}')::float8`
