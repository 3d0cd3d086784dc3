import { afterAll, beforeAll, expect, test } from 'vitest'

import { MetricSummary } from '#contract/charts.ts'
import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { executeChart } from './execute-chart.ts'

const { context, close } = await openTestContext()

/** Seconds of runs by agent; `+` marks those that a time limit ended, `c` those that a person canceled. */
const times: Record<string, string> = {
  whole: '10 20 30 40',
  // Cut only above the median: it is as without a limit.
  late: '10 20 30 40 50 60+ 60+',
  // Freireich et al. 1963, the treated patients: their published median is 23.
  leukemia: '6+ 6 6 6 7 9+ 10+ 10 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+',
  mostly: '10 60+ 60+ 60c',
  all: '60+ 60+',
}

beforeAll(async () => {
  const shared = { organizationId: context.organization.id, experimentId: 'e' }
  const fingerprint = await addVersion(context.db, { ...shared, ordinal: 1 })
  for (const [agent, list] of Object.entries(times))
    for (const text of list.split(' '))
      await addFinishedRun(context.db, {
        ...shared,
        fingerprint,
        agent,
        variantId: agent,
        prompt: 'p',
        wallSeconds: Number.parseFloat(text),
        timeLimitHit: text.endsWith('+'),
        status: text.endsWith('c') ? 'canceled' : 'completed',
        outcomes: { one: 'passed' },
      })
  await addFinishedRun(context.db, { ...shared, fingerprint, agent: 'none', wallSeconds: null, outcomes: {} })
  await projectRuns(context, context.organization.id)
})
afterAll(() => close())

async function summarize(kind: 'leaderboard' | 'metric') {
  const parameters = { group_by: 'agent', ...(kind === 'metric' && { metric: 'wallSeconds' }) }
  const asked = { chart: { experimentId: 'e', kind }, parameters, resultView: 'summary' as const }
  return JSON.parse((await executeChart(context, asked)).chartDataJson)
}

test('a leaderboard allows for runs that a limit ended, and marks times of which only a bound is known', async () => {
  const { groups } = LeaderboardSummary.parse(await summarize('leaderboard'))
  const found = groups.map(({ group, wallSeconds: { cut, p50, p50IsAtLeast, p90, p90IsAtLeast } }) => [
    group,
    cut,
    p50,
    p50IsAtLeast,
    p90,
    p90IsAtLeast,
  ])
  expect(found).toEqual([
    ['all', 2, 60, true, 60, true],
    ['late', 2, 40, false, 60, true],
    ['leukemia', 12, 23, false, 35, true],
    ['mostly', 3, 60, true, 60, true],
    ['none', 0, null, false, null, false],
    ['whole', 0, 25, false, 37, false],
  ])
})

test('a comparison of times has the same median beside the distribution of what was measured', async () => {
  const { groups } = MetricSummary.parse(await summarize('metric'))
  expect(groups.map(({ group, median, cut }) => [group, median, cut])).toEqual([
    ['all', 60, { runs: 2, median: 60, medianIsAtLeast: true }],
    ['late', 40, { runs: 2, median: 40, medianIsAtLeast: false }],
    ['leukemia', 16, { runs: 12, median: 23, medianIsAtLeast: false }],
    ['mostly', 60, { runs: 3, median: 60, medianIsAtLeast: true }],
    ['none', null, undefined],
    ['whole', 25, undefined],
  ])
})
