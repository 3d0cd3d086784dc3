import { randomUUID } from 'node:crypto'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { runRequests } from '#platform/ground/database/tables/runs.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const experimentId = 'e'

/** By request: the runs of two agents on each prompt in the order of the queue, solved, failed or still running. */
const requests = {
  whole: { easy: ['a solved', 'b solved'], hard: ['a failed', 'b failed'] },
  live: {
    easy: ['a solved', 'a solved', 'b solved', 'b solved'],
    hard: ['a solved', 'a running', 'b solved', 'b solved'],
    quick: ['a solved', 'b solved'],
    last: ['a running', 'b running'],
  },
} as const

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, experimentId }
  const triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  const fingerprint = await addVersion(services.db, { ...shared, ordinal: 1 })
  for (const prompts of Object.values(requests)) {
    const requestId = randomUUID()
    const request = { variantIds: [], repeat: 1, flags: [], mock: false, createdAt: '2026-11-20T10:00:00.000001Z' }
    await services.db
      .insert(runRequests)
      .values({ ...shared, ...request, id: requestId, fingerprint, ordinal: 1, triggeredBy })
    for (const [prompt, runs] of Object.entries(prompts))
      for (const run of runs) {
        const [agent = '', state] = run.split(' ')
        await addFinishedRun(services.db, {
          ...shared,
          id: newId(),
          requestId,
          triggeredBy,
          fingerprint,
          prompt,
          agent,
          variantId: `${agent}~${prompt}`,
          outcomes: state === 'running' ? {} : { one: state === 'solved' ? 'passed' : 'failed' },
          ...(state === 'running' && { status: 'running', endedAt: null }),
        })
      }
  }
  await projectRuns(services, organization.id)
})
afterAll(() => platform.close())

async function chartOf(kind: string, parameters = {}, resultView = 'summary') {
  const path = `/insights/${encodeURIComponent(`chart:${experimentId}:${kind}`)}/execute`
  const body = { parameters: { group_by: 'agent', ...parameters }, resultView }
  return JSON.parse((await platform.request('POST', path, { body })).json.chartDataJson)
}

const solvedOf = ({ groups, prompts }: LeaderboardSummary) =>
  Object.fromEntries(
    groups.map(({ group, prompts: { prompt, solved, runs } }) => [
      group,
      prompt.map((place, index) => `${prompts[place]} ${solved[index]}/${runs[index]}`),
    ]),
  )

test('a leaderboard counts a prompt of a request once its runs and those of the prompts before it have ended', async () => {
  const board: LeaderboardSummary = await chartOf('leaderboard')
  expect(solvedOf(board)).toEqual({ a: ['easy 3/3', 'hard 0/1'], b: ['easy 3/3', 'hard 0/1'] })
  expect(board.unfinished).toEqual({ prompts: 2, endedRuns: 5 })
  expect(board.groups.map(({ runs }) => runs)).toEqual([4, 4])
})

test('runs that a filter leaves out hold nothing back', async () => {
  const board: LeaderboardSummary = await chartOf('leaderboard', { agents: ['b'], prompt_ids: ['easy', 'hard'] })
  expect(solvedOf(board)).toEqual({ b: ['easy 3/3', 'hard 2/3'] })
  expect(board.unfinished).toBeUndefined()
})

test.each(['scatter', 'metric', 'tests'])(
  'the chart %s counts every ended run, and only ended prompts if it is asked to',
  async (kind) => {
    const runsOf = async (parameters: object) => {
      const { groups, unfinished } = await chartOf(kind, parameters)
      return { runs: groups.map(({ runs }: { runs: number }) => runs), unfinished }
    }
    expect(await runsOf({})).toEqual({ runs: [6, 7], unfinished: undefined })
    expect(await runsOf({ ended_prompts_only: true })).toEqual({
      runs: [4, 4],
      unfinished: { prompts: 2, endedRuns: 5 },
    })
  },
)

test('a list of points has the same runs as its summary', async () => {
  expect((await chartOf('scatter', { ended_prompts_only: true }, 'points')).total).toBe(8)
  expect((await chartOf('scatter', {}, 'points')).total).toBe(13)
})
