import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ChartKind } from '#contract/chart-kinds.ts'
import { ChartPoints, ChartRuns } from '#contract/chart-runs.ts'
import { MetricSummary, ScatterSummary } from '#contract/charts.ts'
import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { expectSameNumbers, plainCovariance, plainDistribution } from '#platform/program/testing/plain-statistics.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

/** Its quotes and spaces would end a text or a name in SQL. */
const odd = `it's "odd"\\`

/** Fractional rewards of two agents on five prompts, with runs whose score is unknown, missing or of another name. */
const facts = Array.from({ length: 60 }, (_, index) => {
  const agent = index % 2 === 0 ? 'careful' : 'quick'
  const value = Math.round((((index * 7) % 23) / 23 + (agent === 'careful' ? 0.2 : -0.3)) * 1000) / 1000
  const score = { name: 'quality', value: index % 13 === 4 ? null : value, threshold: 0.5 }
  return {
    id: randomUUID(),
    agent,
    variantId: agent,
    prompt: `p${index % 5}`,
    repeat: index + 1,
    costUsd: index % 7 === 3 ? null : (index % 9) / 10,
    scores: index % 11 === 5 ? [{ ...score, name: odd, value: 3 }] : [score],
  }
})
type Facts = (typeof facts)[number]
const valueOf = ({ scores }: Facts, name = 'quality') => scores.find((score) => score.name === name)?.value ?? null
const ofAgent = (agent: string) => facts.filter((run) => run.agent === agent)

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const organizationId = organization.id
  const fingerprint = await addVersion(services.db, { organizationId, experimentId: 'e', ordinal: 1 })
  const { actor } = (await platform.request('GET', '/whoami')).json
  const version = { organizationId, experimentId: 'e', fingerprint, triggeredBy: actor.id as string }
  for (const run of facts) await addFinishedRun(services.db, { ...version, ...run, outcomes: { t: 'passed' } })
  await projectRuns(services, organizationId)
})
afterAll(() => platform.close())

async function chart(kind: ChartKind, parameters: object, view: object = { resultView: 'summary' }) {
  const reference = encodeURIComponent(`chart:e:${kind}`)
  const body = { parameters: { group_by: 'agent', ...parameters }, ...view }
  const { status, json } = await platform.request('POST', `/insights/${reference}/execute`, { body })
  expect(status, JSON.stringify(json)).toBe(200)
  return JSON.parse(json.chartDataJson) as unknown
}

test('a score is a metric of a chart, in which runs without a value are missing and never zero', async () => {
  const { groups, metric, scores } = MetricSummary.parse(await chart('metric', { metric: 'score:quality' }))
  expect([metric, scores]).toEqual(['score:quality', [odd, 'quality']])
  for (const { group, n, missing, mean, sd, min, max } of groups) {
    const plain = plainDistribution(ofAgent(group).map((run) => valueOf(run)))
    expectSameNumbers(
      { n, missing, mean, sd, min, max },
      { n: plain.n, missing: plain.missing, mean: plain.mean, sd: plain.sd, min: plain.min, max: plain.max },
    )
  }
  const named = MetricSummary.parse(await chart('metric', { metric: `score:${odd}` }))
  expect(named.groups.reduce((sum, { n }) => sum + n, 0)).toBe(facts.filter((run) => valueOf(run, odd) !== null).length)
  const unknown = MetricSummary.parse(await chart('metric', { metric: 'score:nothing' }))
  expect(unknown.groups.map(({ n, mean }) => [n, mean])).toEqual([
    [0, null],
    [0, null],
  ])
})

test('a leaderboard has the mean and the variance of a score on each prompt', async () => {
  const { groups, prompts } = LeaderboardSummary.parse(await chart('leaderboard', { metric: 'score:quality' }))
  for (const { group, prompts: tallies } of groups)
    for (const [place, prompt] of tallies.prompt.entries()) {
      const runs = ofAgent(group).filter((run) => run.prompt === prompts[prompt])
      const plain = plainDistribution(runs.map((run) => valueOf(run)))
      const { measured } = tallies
      expectSameNumbers(
        { n: measured?.runs[place], mean: measured?.mean[place], variance: measured?.variance[place] },
        { n: plain.n, mean: plain.mean, variance: plain.sd === null ? null : plain.sd ** 2 },
      )
    }
})

test('a scatterplot has the covariance of the score that it is asked for', async () => {
  const { groups } = ScatterSummary.parse(await chart('scatter', { quality: 'score:quality' }))
  for (const { group, scoreCovariances } of groups)
    expectSameNumbers(
      scoreCovariances?.costUsd,
      plainCovariance(ofAgent(group).map((run) => [run.costUsd, valueOf(run)] as const)),
    )
  expect(ScatterSummary.parse(await chart('scatter', {})).totals.scoreCovariances).toBeUndefined()
})

test('points and runs of a chart have the score that its parameters name', async () => {
  const scoreOf = new Map<string, number | null>(facts.map((run) => [run.id, valueOf(run)]))
  const { columns } = ChartPoints.parse(await chart('scatter', { quality: 'score:quality' }, { resultView: 'points' }))
  expect(columns.score).toEqual(columns.runUuid.map((id) => scoreOf.get(id)))
  const view = { resultView: 'runs', groupValue: 'quick' }
  const { runs } = ChartRuns.parse(await chart('metric', { metric: 'score:quality' }, view))
  expect(runs.map(({ score }) => score)).toEqual(runs.map(({ runUuid }) => scoreOf.get(runUuid)))
  const plain = ChartRuns.parse(await chart('metric', {}, view))
  expect(plain.runs.some((run) => 'score' in run)).toBe(false)
})

test('the values of a chart list the scores of its runs, and a measure that is none is refused', async () => {
  const { json } = await platform.request('GET', `/insights/${encodeURIComponent('chart:e:metric')}`)
  expect(JSON.parse(json.insight.availableValuesJson).metric).toEqual(
    expect.arrayContaining(['costUsd', 'score:quality', `score:${odd}`]),
  )
  for (const metric of ['score:', 'quality', `score:${'x'.repeat(201)}`]) {
    const body = { parameters: { metric }, resultView: 'summary' }
    const refused = await platform.request('POST', `/insights/${encodeURIComponent('chart:e:metric')}/execute`, {
      body,
    })
    expect([refused.status, refused.json.error]).toEqual([400, 'invalid_argument'])
  }
})

test('SQL reads scores as a table and by name, and a score that a run lacks is null', async () => {
  const query = async (sql: string) => {
    const { status, json } = await platform.request('POST', '/experiments/e/query', { body: { sql } })
    expect(status, JSON.stringify(json)).toBe(200)
    return json.rows as unknown[][]
  }
  const known = facts.flatMap((run) => valueOf(run) ?? [])
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const [ofTable] = await query("SELECT count(), count(value), avg(value) FROM scores WHERE name = 'quality'")
  expectSameNumbers(ofTable, [facts.filter(({ scores }) => scores[0]?.name === 'quality').length, known.length, mean])
  const [ofRuns] = await query(
    "SELECT count(scores['quality']), avg(scores['quality']), countIf(scores['none'] IS NULL) FROM runs",
  )
  expectSameNumbers(ofRuns, [known.length, mean, facts.length])
  const [first] = await query(
    "SELECT agent, prompt, threshold FROM scores WHERE name = 'quality' ORDER BY value DESC LIMIT 1",
  )
  expect(first).toEqual(['careful', expect.stringMatching(/^p\d$/), 0.5])
})

test('runs have their scores in lists, in which they are sorted, and in exports', async () => {
  const list = async (sort: string, pageToken = '') => {
    const query = new URLSearchParams({ sort, limit: '25', ...(pageToken && { page_token: pageToken }) })
    return (await platform.request('GET', `/runs?${query.toString()}`)).json
  }
  const all: (number | null)[] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const { runs, nextPageToken } = await list('-score:quality', token)
    all.push(
      ...runs.map(
        ({ scores }: { scores: Facts['scores'] }) => scores.find(({ name }) => name === 'quality')?.value ?? null,
      ),
    )
    token = nextPageToken
  }
  const known = facts.flatMap((run) => valueOf(run) ?? []).toSorted((a, b) => b - a)
  expect(all).toEqual([...known, ...Array.from({ length: facts.length - known.length }, () => null)])
  const lowest = await list('score:quality')
  expect(lowest.runs[0].scores).toEqual([{ name: 'quality', value: Math.min(...known), threshold: 0.5 }])
  expect((await list('score:')).error).toBe('invalid_argument')
  const { text } = await platform.request('GET', '/runs/export?format=ndjson&sort=-score:quality')
  const [exported] = text
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line) as { scores: string })
  expect(JSON.parse(exported?.scores ?? '')).toEqual({ quality: known[0] })
})

test('lists, exports and bulk actions select the runs whose score is within limits; an unknown score is in none', async () => {
  const idsOf = async (query: Record<string, string>) => {
    const { runs } = (await platform.request('GET', `/runs?${new URLSearchParams({ ...query, limit: '100' })}`)).json
    return new Set(runs.map(({ runUuid }: { runUuid: string }) => runUuid))
  }
  const within = (isWithin: (value: number) => boolean, name?: string) =>
    new Set(facts.flatMap((run) => ((value) => (value !== null && isWithin(value) ? run.id : []))(valueOf(run, name))))
  const half = { score: 'quality', score_at_least: '0.5' }
  expect(await idsOf({ score: 'quality' })).toEqual(within(() => true))
  expect(await idsOf(half)).toEqual(within((value) => value >= 0.5))
  expect(await idsOf({ ...half, score_below: '8e-1' })).toEqual(within((value) => value >= 0.5 && value < 0.8))
  expect(await idsOf({ score: odd, score_below: '4' })).toEqual(within(() => true, odd))
  expect(await idsOf({ score: 'nothing' })).toEqual(new Set())
  const { text } = await platform.request('GET', `/runs/export?format=ndjson&${new URLSearchParams(half)}`)
  expect(text.trimEnd().split('\n')).toHaveLength(within((value) => value >= 0.5).size)
  const body = { kind: 'tag', newTag: 'good' }
  const proposed = await platform.request('POST', `/bulk-actions?${new URLSearchParams(half)}`, { body })
  expect(proposed.json.selected).toBe(within((value) => value >= 0.5).size)
})

test('limits of a score that has no name, or that are no numbers, are refused', async () => {
  for (const [query, message] of [
    ['score_below=1', '`score_at_least` and `score_below` need `score`, the name of the score'],
    ['score=quality&score_at_least=much', '`score_at_least` must be a number'],
    ['score=quality&score_at_least=NaN', '`score_at_least` must be a number'],
  ]) {
    const { status, json } = await platform.request('GET', `/runs?${query}`)
    expect([status, json.message]).toEqual([400, message])
  }
})
