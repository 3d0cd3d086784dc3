import type { Scope } from '#platform/analysis/charts/chart-scope.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { RunPlace, SearchCursor } from './search-cursor.ts'

/** The next runs, last ended first. They start with the run of the cursor if a part of it is still to be searched. */
export async function findRunsToSearch(
  { analytics, organization }: Context,
  { condition, parameters }: Scope,
  cursor: Pick<SearchCursor, 'run' | 'within'> | null,
  limit: number,
): Promise<RunPlace[]> {
  const after = cursor
    ? `(ended_at, run_id) ${cursor.within ? '<=' : '<'} (toDateTime64({endedAt:String}, 6, 'UTC'), toUUID({run:String}))`
    : '1'
  return (await analytics.query(
    organization.id,
    `SELECT toString(ended_at) AS endedAtText, toString(run_id) AS runUuid FROM runs FINAL
     WHERE ${condition} AND ${after} ORDER BY ended_at DESC, run_id DESC LIMIT ${limit}`,
    { parameters: { ...parameters, ...(cursor && { endedAt: cursor.run.endedAtText, run: cursor.run.runUuid }) } },
  )) as RunPlace[]
}
