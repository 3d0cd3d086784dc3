import { axisExpression, groupExpression } from '#contract/chart-columns.ts'
import type { FailureSignature } from '#contract/failure-signatures.ts'
import { type ChartScope, searchedScope } from '#platform/analysis/charts/chart-scope.ts'
import type { Context } from '#platform/ground/context/context.ts'

/** How far signatures spread: their tests, and the runs of each group on the prompts where they occur. */
type Spread = {
  tests: Pick<FailureSignature, 'testNames' | 'testCount'>
  runsOfGroups: ReadonlyMap<string, number>
}

const shownNames = 3

/** The spread of each of these signatures. Groups without the failure have runs too, if they ran the prompts. */
export async function findSpread(
  { analytics, organization }: Pick<Context, 'analytics' | 'organization'>,
  chart: ChartScope,
  ids: readonly string[],
): Promise<(id: string) => Spread> {
  const { condition, parameters } = searchedScope(chart)
  const ask = (sql: string) => analytics.query(organization.id, sql, { parameters: { ...parameters, ids: [...ids] } })
  const ofIds = `FROM failures FINAL WHERE ${condition} AND has({ids:Array(String)}, signature_id)`
  const [tests, runs] = await Promise.all([
    ask(
      `SELECT signature_id AS id, arraySlice(arraySort(groupUniqArray(test_name)), 1, ${shownNames}) AS testNames,
         toUInt32(uniqExact(test_name)) AS testCount ${ofIds} GROUP BY id`,
    ) as Promise<({ id: string } & Spread['tests'])[]>,
    ask(
      `SELECT affected.id AS id, ran.group AS group, toUInt32(sum(ran.runs)) AS runs
       FROM (SELECT DISTINCT signature_id AS id, ${axisExpression.prompt} AS promptId ${ofIds}) AS affected
       INNER JOIN (
         SELECT ${groupExpression(chart.groupBy)} AS group, ${axisExpression.prompt} AS promptId, count() AS runs
         FROM runs FINAL WHERE ${condition} GROUP BY group, promptId
       ) AS ran ON affected.promptId = ran.promptId
       GROUP BY id, group`,
    ) as Promise<{ id: string; group: string; runs: number }[]>,
  ])
  const testsOf = new Map(tests.map(({ id, testNames, testCount }) => [id, { testNames, testCount }]))
  const runsOf = Map.groupBy(runs, ({ id }) => id)
  return (id) => ({
    tests: testsOf.get(id) ?? { testNames: [], testCount: 0 },
    runsOfGroups: new Map((runsOf.get(id) ?? []).map((row) => [row.group, row.runs])),
  })
}
