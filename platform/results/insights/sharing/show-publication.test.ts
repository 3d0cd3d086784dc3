import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { noSuchPublication } from '#contract/publications.ts'
import { limits } from '#contract/wire/limit.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { buildHttp } from '#platform/program/server/build-http.ts'
import { secondsFor, userSeconds } from '#platform/analysis/analytics/reader-limits.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'

const sql = 'SELECT experiment_id AS e, count() AS n FROM runs GROUP BY e ORDER BY e'

const endless = 'SELECT sum(sipHash64(a.number, b.number)) FROM numbers(1000000) a CROSS JOIN numbers(1000000) b'

const platform = await openTestPlatform()
beforeAll(async () => {
  const other = await createOrganization(platform.services, { slug: 'elsewhere' })
  for (const id of ['one', 'two']) await platform.request('POST', '/experiments', { yaml: twoByTwo(id) })
  for (const experimentId of ['one', 'one', 'two']) await finish(experimentId)
  await finish('secret', other.id)
})
afterAll(() => platform.close())

async function finish(experimentId: string, organizationId = platform.organization.id) {
  await addFinishedRun(platform.services.db, { organizationId, experimentId, outcomes: {} })
  await projectRuns(platform.services, organizationId)
}

/** Saves and shares an insight, and returns its public path. */
async function publish(body: { slug: string } & Record<string, unknown>) {
  const saved = await platform.request('POST', '/insights', { body: { heading: body.slug, sql, ...body } })
  expect(saved.status).toBe(200)
  const { json } = await platform.request('POST', `/insights/${body.slug}/share`)
  return new URL(json.url).pathname
}

const see = async (path: string) => {
  const { status, text } = await platform.visit(path)
  return { status, json: JSON.parse(text) }
}

describe('GET /embed/insights/{token}', () => {
  test("a publication shows anyone, without a key, its presentation and the live result over the organization's rows only", async () => {
    const presentation = { kind: 'bar', x: 'e', y: ['n'] }
    const path = await publish({ slug: 'open', description: 'Why', presentation })
    const { status, headers, text } = await platform.visit(path)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      heading: 'open',
      description: 'Why',
      presentation,
      columns: [{ name: 'e' }, { name: 'n' }],
      rows: [
        ['one', 2],
        ['two', 1],
      ],
      rowCount: 2,
      truncated: false,
    })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(headers).not.toHaveProperty('set-cookie')
  })

  test('a publication names its organization, what it is about and when it was published', async () => {
    const { name } = platform.organization
    const whole = await see(await publish({ slug: 'about-all' }))
    expect(whole.json).toMatchObject({ organization: { name }, about: { kind: 'none' } })
    expect(whole.json.about).not.toHaveProperty('experiment')
    const provenance = { kind: 'experiment', experimentId: 'two' }
    const { json } = await see(await publish({ slug: 'about-two', provenance }))
    const experiment = (await platform.request('GET', '/experiments/two')).json.name
    expect(json.about).toEqual({ kind: 'experiment', experiment })
    const { publication } = (await platform.request('GET', '/insights/about-two?sql_only=true')).json
    expect(json.publishedAt).toBe(publication.publishedAt)
  })

  test('a publication names no person or insight, and shows no SQL', async () => {
    const path = await publish({ slug: 'nameless', description: 'd', labels: ['internal'] })
    const { json, ...rest } = await see(path)
    expect(rest.status).toBe(200)
    const fields = 'about asOf columns description heading organization publishedAt rowCount rows truncated'
    expect(Object.keys(json).sort()).toEqual(fields.split(' '))
    const { insight } = (await platform.request('GET', '/insights/nameless?sql_only=true')).json
    const page = JSON.stringify(json)
    for (const private_ of [platform.organization.id, insight.owner.id, insight.owner.email, insight.id, 'GROUP BY'])
      expect(page).not.toContain(private_)
  })

  test('the first share freezes the definition and the scope, while the data stays live', async () => {
    const path = await publish({ slug: 'frozen', provenance: { kind: 'experiment', experimentId: 'two' } })
    expect((await see(path)).json.rows).toEqual([['two', 1]])
    const edit = {
      heading: 'Edited',
      sql: 'SELECT 1 AS one',
      description: 'x',
      presentation: { kind: 'number', y: ['one'] },
    }
    await platform.request('PATCH', '/insights/frozen', { body: edit })
    const force = { ...edit, slug: 'frozen', force: true, provenance: { kind: 'experiment', experimentId: 'one' } }
    await platform.request('POST', '/insights', { body: force })
    const again = await platform.request('POST', '/insights/frozen/share')
    expect(new URL(again.json.url).pathname).toBe(path)
    expect((await platform.request('GET', '/insights/frozen?sql_only=true')).json.publication.isCurrent).toBe(false)
    await finish('two')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    try {
      const { json } = await see(path)
      expect(json).toMatchObject({ heading: 'frozen', rows: [['two', 2]] })
      expect(json).not.toHaveProperty('description')
      expect(json).not.toHaveProperty('presentation')
    } finally {
      vi.useRealTimers()
    }
  })

  test('twenty concurrent visitors share one execution, and so does the next one', async () => {
    const path = await publish({ slug: 'busy' })
    const seen = await Promise.all(Array.from({ length: 20 }, () => see(path)))
    expect(new Set(seen.map(({ json }) => json.asOf)).size).toBe(1)
    expect((await see(path)).json.asOf).toBe(seen[0]?.json.asOf)
  })

  test('a publication has a limited number of rows', async () => {
    const path = await publish({ slug: 'long', sql: 'SELECT arrayJoin(range(5000)) AS n FROM runs' })
    const { json } = await see(path)
    expect([json.rows.length, json.truncated]).toEqual([limits.publicationRows, true])
  })

  test('a failing publication answers 503 without any of its SQL, and works again once the query does', async () => {
    const path = await publish({ slug: 'broken' })
    const { db } = platform.services
    await db
      .update(publications)
      .set({ sql: 'SELECT secret_column FROM runs' })
      .where(eq(publications.heading, 'broken'))
    const { status, json } = await see(path)
    expect([status, json.error]).toEqual([503, 'unavailable'])
    expect(JSON.stringify(json)).not.toContain('secret_column')
    await db.update(publications).set({ sql }).where(eq(publications.heading, 'broken'))
    expect((await see(path)).status).toBe(200)
  })

  test('a slow publication is stopped at its time limit of 5 seconds, which is shorter than that of a member’s query', async () => {
    expect([secondsFor('published', userSeconds), secondsFor('own', userSeconds)]).toEqual([5, 20])
    const brief = await openTestAnalytics({ readSeconds: 1 })
    const { analytics } = platform.services
    const reader = vi
      .spyOn(analytics, 'withReader')
      .mockImplementation((...turn) => brief.analytics.withReader(...turn))
    const { status } = await see(await publish({ slug: 'slow', sql: endless }))
    expect([status, reader.mock.calls.at(-1)?.[2]]).toEqual([503, 'published'])
    reader.mockRestore()
    await brief.close()
  })

  test("an organization's own query runs before public views that are already waiting", async () => {
    const paths = [await publish({ slug: 'patient' }), await publish({ slug: 'patient-too' })]
    const { analytics } = platform.services
    const hold = Promise.withResolvers<void>()
    const taken = [0, 1].map(() => analytics.withReader(platform.organization.id, () => hold.promise))
    const asked = vi.spyOn(analytics, 'withReader')
    const ended: string[] = []
    const views = paths.map((path) => see(path).then(({ status }) => ended.push(`view ${status}`)))
    await expect.poll(() => asked).toHaveBeenCalledTimes(2)
    const query = platform.request('POST', '/experiments/one/query', { body: { sql } })
    const queried = query.then(({ status }) => ended.push(`query ${status}`))
    await expect.poll(() => asked).toHaveBeenCalledTimes(3)
    hold.resolve()
    await Promise.all([...taken, ...views, queried])
    asked.mockRestore()
    expect(ended).toEqual(['query 200', 'view 200', 'view 200'])
  })

  test('at most 15 public views of an organization wait while its members use every slot; further views are 503', async () => {
    const paths: string[] = []
    for (let at = 0; at < 16; at += 1) paths.push(await publish({ slug: `crowd-${at}` }))
    const { analytics } = platform.services
    const hold = Promise.withResolvers<void>()
    const taken = [0, 1].map(() => analytics.withReader(platform.organization.id, () => hold.promise))
    const seen = paths.map(see)
    try {
      const first = await Promise.race(seen)
      expect([first.status, first.json.error]).toEqual([503, 'unavailable'])
    } finally {
      hold.resolve()
    }
    await Promise.all(taken)
    const statuses = (await Promise.all(seen)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(15)
  })

  test('HEAD returns 200 for a publication, 404 for any other token, and runs no query', async () => {
    const path = await publish({ slug: 'asked' })
    await platform.services.db.update(publications).set({ sql: 'no SQL' }).where(eq(publications.heading, 'asked'))
    const [there, gone] = [await platform.visit(path, 'HEAD'), await platform.visit(`${path}x`, 'HEAD')]
    expect([there.status, there.text, gone.status]).toEqual([200, '', 404])
  })
})

describe('deleting a published insight', () => {
  test('a delete revokes the publication at once, even with a recent result', async () => {
    const path = await publish({ slug: 'revoked' })
    expect((await see(path)).status).toBe(200)
    await platform.request('DELETE', '/insights/revoked')
    expect((await see(path)).status).toBe(404)
  })

  test('a delete revokes a publication while its result is being computed', async () => {
    const path = await publish({ slug: 'underway' })
    const { services } = platform
    const { analytics } = services
    const hold = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    services.analytics = {
      ...analytics,
      async withReader(...turn) {
        started.resolve()
        await hold.promise
        return analytics.withReader(...turn)
      },
    }
    try {
      const looking = see(path)
      await started.promise
      await platform.request('DELETE', '/insights/underway')
      hold.resolve()
      expect((await looking).status).toBe(404)
    } finally {
      services.analytics = analytics
    }
  })

  test('unknown, deleted and malformed tokens get one 404, identical to the byte', async () => {
    const path = await publish({ slug: 'deleted' })
    await platform.request('DELETE', '/insights/deleted')
    const wrong = ['A'.repeat(43), 'x', '', 'a/b', '%', '%zz', 'x'.repeat(5000), `${path.split('/').at(-1)}=`]
    const paths = [path, ...wrong.map((token) => `/embed/insights/${token}`)]
    const answers = await Promise.all(paths.map((each) => platform.visit(each)))
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, JSON.stringify(noSuchPublication)])
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    }
  })
})

test('no log line contains a publication token, at any level', async () => {
  const path = await publish({ slug: 'unlogged' })
  const file = join(tmpdir(), `assay-publications-${process.pid}.log`)
  const app = await buildHttp(platform.services, [], { logger: { level: 'trace', file } })
  try {
    await app.inject({ method: 'GET', url: path })
    await app.inject({ method: 'GET', url: `${path}%` })
    await app.inject({ method: 'POST', url: path })
    await app.inject({ method: 'GET', url: '/healthz' })
    await app.close()
    await expect.poll(() => readFile(file, 'utf8')).toContain('/healthz')
    expect(await readFile(file, 'utf8')).not.toContain(path.split('/').at(-1))
  } finally {
    await rm(file, { force: true })
  }
})
