import { countedCondition, groupExpression } from '#contract/chart-columns.ts'
import type { ChartPopulation, Omissions, Unfinished } from '#contract/charts.ts'
import { LeftOutRuns } from '#contract/infrastructure.ts'
import type { MixedImage } from '#contract/mixed-images.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, runScope, searchedScope, type Scope, shownScope } from './chart-scope.ts'

type GroupRow = { group: string; runs: number; testAwareRuns: number }
type CauseRow = { cause: string; runs: number }

type Counted = {
  /** Also counts runs that results leave out. */
  withInfrastructure?: boolean
}

/** The groups of a chart with their number of runs, and what the chart leaves out. */
export async function countGroups(context: Context, chart: ChartScope, { withInfrastructure = false }: Counted = {}) {
  const [rows, leftOutRuns, mixedImages, scores, unfinished] = await Promise.all([
    countRuns(context, chart, withInfrastructure),
    withInfrastructure ? {} : countLeftOutRuns(context, chart),
    findMixedImages(context, shownScope(chart)),
    findScoreNames(context, shownScope(chart)),
    countHeldBack(context, chart),
  ])
  const shownRuns = (row: GroupRow) => row.runs + (chart.includeTestAware ? row.testAwareRuns : 0)
  const omissions: Omissions = {
    excludedTestAwareRuns: chart.includeTestAware ? 0 : rows.reduce((sum, row) => sum + row.testAwareRuns, 0),
    leftOutRuns,
    mixedImages,
  }
  return {
    groupBy: chart.groupBy,
    version: chart.version,
    scores,
    ...(unfinished && { unfinished }),
    groups: rows.map((row) => ({ group: row.group, runs: shownRuns(row) })).filter((row) => row.runs > 0),
    ...omissions,
  }
}

async function countRuns({ analytics, organization }: Context, chart: ChartScope, withInfrastructure: boolean) {
  const { condition, parameters } = runScope(chart)
  const rows = await analytics.query(
    organization.id,
    `SELECT ${groupExpression(chart.groupBy)} AS group, toUInt32(countIf(NOT test_aware)) AS runs,
       toUInt32(countIf(test_aware)) AS testAwareRuns
     FROM runs FINAL WHERE ${condition}${withInfrastructure ? '' : ` AND ${countedCondition}`} GROUP BY group ORDER BY group`,
    { parameters },
  )
  return rows as GroupRow[]
}

async function countLeftOutRuns({ analytics, organization }: Context, chart: ChartScope): Promise<LeftOutRuns> {
  const { condition, parameters } = searchedScope(chart)
  const rows = (await analytics.query(
    organization.id,
    `SELECT infrastructure_cause AS cause, toUInt32(count()) AS runs FROM runs FINAL
     WHERE ${condition} AND NOT (${countedCondition}) GROUP BY cause ORDER BY cause`,
    { parameters },
  )) as CauseRow[]
  return LeftOutRuns.parse(Object.fromEntries(rows.map(({ cause, runs }) => [cause, runs])))
}

async function countHeldBack({ analytics, organization }: Context, chart: ChartScope): Promise<Unfinished | null> {
  const { unfinished, ...all } = chart
  if (!unfinished) return null
  const { condition, parameters } = shownScope(all)
  const [row] = await analytics.query(
    organization.id,
    `SELECT toUInt32(count()) AS runs FROM runs FINAL WHERE ${condition} AND ${unfinished.condition}`,
    { parameters: { ...parameters, ...unfinished.parameters } },
  )
  return { prompts: unfinished.prompts, endedRuns: Number(row?.['runs'] ?? 0) }
}

/** The runs of an experiment may have scores of many names; a picker offers the first of them. */
const maxNames = 200

async function findScoreNames({ analytics, organization }: Context, { condition, parameters }: Scope) {
  const rows = await analytics.query(
    organization.id,
    `SELECT arraySort(groupUniqArrayArray(${maxNames})(mapKeys(scores))) AS names FROM runs FINAL WHERE ${condition}`,
    { parameters },
  )
  return (rows[0]?.['names'] ?? []) as string[]
}

const maxDigests = 10
const maxEnvironments = 10

async function findMixedImages({ analytics, organization }: Context, { condition, parameters }: Scope) {
  const rows = await analytics.query(
    organization.id,
    `SELECT ifNull(environment, '') AS name, arraySort(groupUniqArray(${maxDigests})(assumeNotNull(image_digest))) AS digests
     FROM runs FINAL WHERE ${condition} AND image_digest IS NOT NULL
     GROUP BY name HAVING length(digests) > 1 ORDER BY name LIMIT ${maxEnvironments}`,
    { parameters },
  )
  return rows.map(({ name, digests }) => ({ environment: name, digests }) as MixedImage)
}

/** The fields of every summary, without the groups that were counted. */
export const populationOf = ({
  groupBy,
  version,
  scores,
  unfinished,
  excludedTestAwareRuns,
  leftOutRuns,
  mixedImages,
}: ChartPopulation): ChartPopulation => ({
  groupBy,
  version,
  ...(scores && { scores }),
  ...(unfinished && { unfinished }),
  excludedTestAwareRuns,
  leftOutRuns,
  mixedImages,
})
