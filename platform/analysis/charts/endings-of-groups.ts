import { axisExpression, groupExpression } from '#contract/chart-columns.ts'
import { infrastructureCauses, isOfDefinition } from '#contract/infrastructure.ts'
import type { ClaimOfReviewers, MeasuredEnding } from '#contract/run-endings.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, experimentScope, searchedScope } from './chart-scope.ts'

/** Runs of a group on a prompt that ended in the same way, and of which reviewers claim the same. */
export type EndingCell = {
  group: string
  prompt: string
  ending: MeasuredEnding
  claimed: ClaimOfReviewers | ''
  runs: number
}

const neverStarted = infrastructureCauses
  .filter(isOfDefinition)
  .map((cause) => `'${cause}'`)
  .join(', ')

/** `MeasuredEnding` of contract/run-endings.ts in SQL; `endingOfRun` of the database has the same rule. */
const endingExpression = `multiIf(infrastructure_cause IN (${neverStarted}), 'never_started',
  infrastructure_cause IS NOT NULL, 'infrastructure', status = 'canceled', 'canceled', solved IS NULL, 'untested',
  assumeNotNull(solved), 'solved', ifNull(time_limit_hit, false), 'timed_out', 'failed')`

/** Reviewers who dispute one run may claim different outcomes. */
const claims = ({ condition }: { condition: string }) => `SELECT run_id AS disputed_run,
  if(uniqExact(claimed_outcome) > 1, 'unclear', any(assumeNotNull(claimed_outcome))) AS claim
  FROM labels FINAL WHERE ${condition} AND kind = 'dispute' GROUP BY run_id`

/** How the runs of each group ended on each prompt, those included that results leave out. */
export async function endingsOfGroups({ analytics, organization }: Context, chart: ChartScope): Promise<EndingCell[]> {
  const { condition, parameters } = searchedScope(chart)
  const rows = await analytics.query(
    organization.id,
    `SELECT group, promptId AS prompt, ending, claimed, toUInt32(count()) AS runs FROM (
       SELECT ${groupExpression(chart.groupBy)} AS group, ${axisExpression.prompt} AS promptId,
         ${endingExpression} AS ending, ifNull(claim, '') AS claimed
       FROM (SELECT * FROM runs FINAL WHERE ${condition}) AS r
       LEFT JOIN (${claims(experimentScope(chart))}) AS d ON r.run_id = d.disputed_run
     ) GROUP BY group, promptId, ending, claimed ORDER BY group, promptId, ending, claimed`,
    { parameters },
  )
  return rows as EndingCell[]
}
