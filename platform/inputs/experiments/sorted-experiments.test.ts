import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type ExperimentSummary, type ExperimentSortField, experimentSortFields } from '#contract/experiments.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const count = 40
const nth = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

const platform = await openTestPlatform()
beforeAll(async () => {
  for (let index = 0; index < count; index += 1) await addExperiment(index)
})
afterAll(() => platform.close())

/** Few different values and many experiments without results, so that most experiments of a page are equal. */
async function addExperiment(index: number) {
  const { db } = platform.services
  const scope = { organizationId: platform.organization.id, experimentId: `experiment-${(index * 7) % count}` }
  const fingerprint = await addVersion(db, { ...scope, ordinal: 1 + (index % 5) })
  await db
    .update(experiments)
    .set({ name: nth(['beta', 'Alpha', 'émile', 'gamma 10', 'Gamma 9'], index) })
    .where(eq(experiments.id, scope.experimentId))
  for (let run = 0; run < index % 3; run += 1) {
    const outcomes = { a: run < index % 2 ? ('passed' as const) : ('failed' as const) }
    const statusUpdatedAt = `2026-11-2${index % 4}T10:00:00.000000Z`
    await addFinishedRun(db, { ...scope, fingerprint, outcomes, statusUpdatedAt })
  }
}

type Listed = Pick<ExperimentSummary, 'id'>

async function walk(query: string, limit: number): Promise<ExperimentSummary[]> {
  const all: ExperimentSummary[] = []
  let token = ''
  do {
    const { status, json } = await platform.request('GET', `/experiments?${query}&limit=${limit}&page_token=${token}`)
    expect(status).toBe(200)
    all.push(...json.experiments)
    token = json.nextPageToken ?? ''
  } while (token && all.length < 10 * count)
  return all
}

const valueOf: Record<ExperimentSortField, (experiment: ExperimentSummary) => string | number | null> = {
  createdAt: ({ createdAt }) => createdAt,
  name: ({ name }) => name.toLowerCase(),
  owner: ({ owner }) => owner.name.toLowerCase(),
  versionCount: ({ versionCount }) => versionCount,
  runCount: ({ runCount }) => runCount,
  lastActivityAt: ({ lastActivityAt }) => lastActivityAt,
  solved: ({ latestSolved }) => latestSolved && latestSolved.solved / latestSolved.runs,
}

const byBytes = (a: string | number, b: string | number) =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b)

function inOrder(all: readonly ExperimentSummary[], field: ExperimentSortField, sign: 1 | -1) {
  return all.toSorted((one, other) => {
    const [a, b] = [valueOf[field](one), valueOf[field](other)]
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1
      return sign * byBytes(one.id, other.id)
    }
    return sign * (byBytes(a, b) || byBytes(one.id, other.id))
  })
}

const ids = (listed: readonly Listed[]) => listed.map(({ id }) => id)

test.each(experimentSortFields.flatMap((field) => [[field, 1] as const, [field, -1] as const]))(
  'the pages of the list sorted by %s in direction %i have every experiment once, in order, those without a value last',
  async (field, sign) => {
    const all = await walk('', 1000)
    expect(all).toHaveLength(count)
    const paged = await walk(`sort=${sign < 0 ? '-' : ''}${field}`, 7)
    expect(ids(paged)).toEqual(ids(inOrder(all, field, sign)))
  },
)

test('the order combines with filters, and takes the name of a field in snake case', async () => {
  const found = await walk('search=gamma&sort=-version_count', 3)
  expect(ids(found)).toEqual(ids(inOrder(found, 'versionCount', -1)))
  expect(found.map(({ name }) => name)).toContain('Gamma 9')
  expect(found).toHaveLength(16)
})

test('400 invalid_argument for an unknown order, and for a page token of another order', async () => {
  const first = await platform.request('GET', '/experiments?sort=name&limit=3')
  const token = first.json.nextPageToken as string
  for (const query of ['sort=luck', `sort=-name&page_token=${token}`, `sort=runCount&page_token=${token}`]) {
    const { status, json } = await platform.request('GET', `/experiments?${query}`)
    expect([query, status, json.error]).toEqual([query, 400, 'invalid_argument'])
  }
})
