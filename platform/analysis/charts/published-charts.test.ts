import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ChartMetric, singleGroupings, HeatmapSummary, MetricSummary, ScatterSummary } from '#contract/charts.ts'
import { countOutcomes, type Outcome } from '#contract/outcomes.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { groupOf, plainMetric, plainScatter } from '#platform/program/testing/plain-charts.ts'
import { expectSameNumbers } from '#platform/program/testing/plain-statistics.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { executeChart } from './execute-chart.ts'

/** Next to the repository, if it was downloaded. */
const folder = fileURLToPath(new URL('../../../../shared/data/terminal-bench', import.meta.url))
const isHere = existsSync(folder)

type Run = typeof runs.$inferSelect

const passRateOf = (run: Run) => {
  const counted = run.testsPassed + run.testsFailed + run.testsUnresolved + run.testsErrored
  return counted === 0 ? null : run.testsPassed / counted
}
const solvedOf = (run: Run) =>
  run.status === 'canceled'
    ? null
    : passRateOf(run) === null
      ? run.status === 'errored'
        ? 0
        : null
      : passRateOf(run) === 1
        ? 1
        : 0

const toPlain = (list: Run[], groupBy: keyof typeof groupOf) =>
  list.map((run) => ({
    group: groupOf[groupBy](run),
    prompt: run.prompt ?? '',
    metrics: {
      ...run,
      solved: solvedOf(run),
      passRate: passRateOf(run),
      toolFailureRate: run.toolCalls && run.toolFailures !== null ? run.toolFailures / run.toolCalls : null,
    },
  }))

describe.skipIf(!isHere)(`charts of published results (skipped where ${folder} is absent)`, () => {
  let context: Context
  let close: () => Promise<void>
  let stored: Run[]
  beforeAll(async () => {
    ;({ context, close } = await openTestContext())
    await importResults(context, { paths: [folder], experimentId: 'terminal-bench' })
    await projectRuns(context, context.organization.id)
    stored = await context.db.select().from(runs)
  }, 120_000)
  afterAll(() => close())

  const summarize = (kind: 'tests' | 'scatter' | 'metric', parameters: Record<string, unknown>) =>
    executeChart(context, { chart: { experimentId: 'terminal-bench', kind }, parameters, resultView: 'summary' }).then(
      ({ chartDataJson }): unknown => JSON.parse(chartDataJson),
    )

  test.each(singleGroupings)(
    'a scatterplot of published results by %s equals an independent computation to 1e-9',
    async (groupBy) => {
      const summary = ScatterSummary.parse(await summarize('scatter', { groupBy, includeTestAware: true }))
      expect(summary.totals.runs).toBe(stored.length)
      const { groups, totals } = summary
      expectSameNumbers({ groups, totals }, plainScatter(toPlain(stored, groupBy)))
    },
  )

  test.each(ChartMetric.options)(
    'a comparison of %s over published results equals an independent computation to 1e-9',
    async (metric) => {
      const { groups } = MetricSummary.parse(await summarize('metric', { metric, groupBy: 'model' }))
      const shown = stored.filter((run) => !run.testAware)
      expectSameNumbers(
        groups.map(({ cut: _cut, ...group }) => group),
        plainMetric(toPlain(shown, 'model'), metric),
      )
    },
  )

  test('the heatmap of published results by agent counts every captured test once', async () => {
    const { cells } = HeatmapSummary.parse(await summarize('tests', { groupBy: 'agent', includeTestAware: true }))
    const rows = await context.db
      .select({ agent: runs.agent, test: capturedTests.name, outcome: capturedTests.outcome })
      .from(capturedTests)
      .innerJoin(runs, eq(runs.id, capturedTests.runId))
    const outcomesOf = new Map<string, Outcome[]>()
    for (const { agent, test: name, outcome } of rows) {
      const key = JSON.stringify([agent, name])
      outcomesOf.set(key, [...(outcomesOf.get(key) ?? []), outcome])
    }
    const counted = new Map(cells.map(({ group, test: name, ...counts }) => [JSON.stringify([group, name]), counts]))
    expect(rows.length).toBeGreaterThan(10_000)
    expect(counted).toEqual(new Map([...outcomesOf].map(([key, list]) => [key, countOutcomes(list)])))
  })
})
