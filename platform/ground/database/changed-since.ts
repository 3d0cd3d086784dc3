import { sql, type SQL } from 'drizzle-orm'

/**
 * Whether a row was changed by a transaction that the snapshot does not include. The first condition can use an index.
 */
export const changedSince = (column: SQL, snapshot: string) =>
  sql`(${column} >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${column}, ${snapshot}::pg_snapshot))`

/** Whether an experiment or a user has changed, because rows of other tables show their names. */
export const namesChangedSince = (organizationId: string, snapshot: string) =>
  sql`(exists (select 1 from experiments e where e.organization_id = ${organizationId} and ${changedSince(sql`e.changed_in`, snapshot)})
    or exists (select 1 from users u where ${changedSince(sql`u.changed_in`, snapshot)}))`
