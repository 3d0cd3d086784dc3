import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { Outcome } from '#contract/outcomes.ts'
import { RunEnding as Endings, type RunEnding } from '#contract/run-endings.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion, type FinishedRunFacts } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

type Facts = Omit<Partial<FinishedRunFacts>, 'outcomes'> & { outcomes?: Record<string, Outcome> }

const passes = { one: 'passed' } as const
const fails = { one: 'failed' } as const

/** Every way to end, with runs to which two ways apply. */
const facts: (readonly [RunEnding, Facts, claim?: 'solved' | 'unsolved'])[] = [
  ['solved', { outcomes: passes }],
  ['solved', { outcomes: passes, timeLimitHit: true }],
  ['failed', { outcomes: fails }],
  ['failed', { status: 'errored' }],
  ['timed_out', { outcomes: fails, timeLimitHit: true }],
  ['timed_out', { status: 'errored', timeLimitHit: true }],
  ['infrastructure', { status: 'errored', infrastructureCause: 'worker_lost', timeLimitHit: true }],
  ['infrastructure', { status: 'errored', infrastructureCause: 'image_pull' }],
  ['never_started', { status: 'errored', infrastructureCause: 'setup_failed', timeLimitHit: true }],
  ['canceled', { status: 'canceled', outcomes: fails }],
  ['untested', {}],
  ['untested', { outcomes: { one: 'skipped' }, timeLimitHit: true }],
  ['disputed', { outcomes: fails, timeLimitHit: true }, 'solved'],
  ['disputed', { outcomes: passes }, 'unsolved'],
  ['disputed', { status: 'errored', infrastructureCause: 'sandbox' }, 'unsolved'],
  ['disputed', { status: 'canceled' }, 'solved'],
]

const experimentId = 'e'
const endingOf = new Map<string, RunEnding>()

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, experimentId }
  const triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  const fingerprint = await addVersion(services.db, { ...shared, ordinal: 1 })
  for (const [ending, { outcomes = {}, ...rest }, claim] of facts) {
    const id = await addFinishedRun(services.db, {
      ...shared,
      triggeredBy,
      fingerprint,
      prompt: 'p',
      outcomes,
      ...rest,
    })
    endingOf.set(id, ending)
    if (!claim) continue
    const { json } = await platform.request('GET', '/runs?limit=100')
    const run = json.runs.find((each: { runUuid: string }) => each.runUuid === id)
    const body = { kind: 'dispute', claimedOutcome: claim, text: 'Read the transcript' }
    expect((await platform.request('POST', `/runs/${encodeURIComponent(run.id)}/labels`, { body })).status).toBe(201)
  }
  await addFinishedRun(services.db, {
    ...shared,
    triggeredBy,
    fingerprint,
    prompt: 'q',
    agent: 'b',
    variantId: 'b',
    status: 'errored',
    infrastructureCause: 'agent_not_started',
    outcomes: {},
  })
  await projectRuns(services, organization.id)
})
afterAll(() => platform.close())

async function boardOf(parameters = {}): Promise<LeaderboardSummary> {
  const path = `/insights/${encodeURIComponent(`chart:${experimentId}:leaderboard`)}/execute`
  const { json } = await platform.request('POST', path, { body: { parameters: { group_by: 'agent', ...parameters } } })
  return JSON.parse(json.chartDataJson)
}

/** The parts of the bar of a group: a disputed run is in no other part. */
function partsOf({ groups }: LeaderboardSummary, name: string) {
  const parts: Partial<Record<RunEnding, number>> = {}
  const endings = groups.find(({ group }) => group === name)?.endings
  for (const [place, measured] of (endings?.ending ?? []).entries()) {
    const ending = endings?.claimed[place] ? 'disputed' : measured
    parts[ending] = (parts[ending] ?? 0) + (endings?.runs[place] ?? 0)
  }
  return parts
}

const ofFirst = (ending: RunEnding) => facts.filter(([each]) => each === ending).length

test('every run of a group has exactly one ending, the same in a leaderboard and in the list of runs', async () => {
  const parts = partsOf(await boardOf(), 'a')
  for (const ending of Endings.options as RunEnding[]) {
    expect([ending, parts[ending]]).toEqual([ending, ofFirst(ending)])
    const { json } = await platform.request('GET', `/runs?agent=a&ending=${ending}`)
    const listed = json.runs.map(({ runUuid }: { runUuid: string }) => endingOf.get(runUuid))
    expect(listed).toEqual(Array.from({ length: ofFirst(ending) }, () => ending))
  }
  expect(Object.values(parts).reduce((sum, runs) => sum + runs, 0)).toBe(facts.length)
  expect((await platform.request('GET', '/runs?ending=lost')).status).toBe(400)
})

test('disputed runs keep what was measured beside what the reviewer claims, and change no measured number', async () => {
  const { groups } = await boardOf()
  const [{ endings, prompts, leftOut } = {}] = groups
  const disputed = endings?.ending.flatMap((ending, place) => {
    const claim = endings.claimed[place]
    return claim ? [`${ending}: ${claim}`] : []
  })
  expect(disputed?.toSorted()).toEqual([
    'canceled: solved',
    'infrastructure: unsolved',
    'solved: unsolved',
    'timed_out: solved',
  ])
  expect([prompts?.runs, prompts?.solved, leftOut]).toEqual([[8], [3], 4])
})

test('a group without a run that counts has a row, so that its runs are not hidden', async () => {
  const board = await boardOf()
  expect(board.prompts).toEqual(['p', 'q'])
  expect(board.groups[1]).toMatchObject({ group: 'b', values: ['b'], runs: 0, leftOut: 1, prompts: { runs: [] } })
  expect(partsOf(board, 'b')).toEqual({ never_started: 1 })
  expect((await boardOf({ agents: ['b'] })).groups).toEqual([])
})

test('reviewers who claim different outcomes make the outcome unclear', async () => {
  const { services, organization } = platform
  const one = (await services.db.select().from(labels)).find(({ claimedOutcome }) => claimedOutcome === 'solved')
  if (!one) throw new Error('There is no dispute')
  await services.db.insert(labels).values({ ...one, id: randomUUID(), slot: 1, claimedOutcome: 'unsolved' })
  const { json } = await platform.request('GET', '/runs?ending=disputed')
  const run = json.runs.find(({ runUuid }: { runUuid: string }) => runUuid === one.runId)
  // Any other label sends all labels of the run to the engine.
  const body = { kind: 'tag', text: 'read twice' }
  expect((await platform.request('POST', `/runs/${encodeURIComponent(run.id)}/labels`, { body })).status).toBe(201)
  await projectRuns(services, organization.id)
  expect((await boardOf()).groups[0]?.endings?.claimed.filter((claim) => claim === 'unclear')).toHaveLength(1)
})
