import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import type { Report } from '#contract/reports.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let key: string
const platform = await openTestPlatform()
afterAll(() => platform.close())
beforeEach(async () => {
  const slug = `org-${randomUUID().slice(0, 8)}`
  await createOrganization(platform.services, { slug })
  key = await platform.newKey({ organizations: [slug] })
})

const list = (query = '') => platform.request('GET', `/reports${query}`, { key })
const titles = (reports: Report[]) => reports.map(({ title }) => title)

async function begin(title: string, bodyMarkdown = ''): Promise<string> {
  return (await platform.request('POST', '/reports', { key, body: { title, bodyMarkdown } })).json.report.id
}
const beginMany = async (count: number) => {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push(await begin(`r${at}`))
  return ids
}
const touch = (id: string | undefined) =>
  platform.request('POST', `/reports/${id}/blocks`, { key, body: { markdown: 'x' } })

async function walk(limit: number, between: (page: number) => Promise<unknown> = async () => {}): Promise<Report[]> {
  const seen: Report[] = []
  let cursor: string | undefined
  for (let page = 0; page < 1000; page += 1) {
    const { json } = await list(`?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...json.reports)
    cursor = json.nextCursor
    if (cursor === undefined) return seen
    await between(page)
  }
  throw new Error('the list never ends')
}

test('reports are listed most recently changed first, without bodies; the last page has no nextCursor', async () => {
  const first = await begin('first', 'a body')
  await begin('second')
  expect((await list()).json).toEqual({
    reports: [expect.objectContaining({ title: 'second' }), expect.objectContaining({ title: 'first' })],
  })
  await touch(first)
  const { json, text } = await list()
  expect(titles(json.reports)).toEqual(['first', 'second'])
  expect(text).not.toContain('body')
})

test('limit defaults to 50; page_size is an alias of limit and page_token of cursor', async () => {
  await beginMany(51)
  const { json } = await list()
  expect(json.reports).toHaveLength(50)
  expect((await list(`?page_size=2&page_token=${json.nextCursor}`)).json.reports).toHaveLength(1)
  expect((await list('?page_size=2')).json.reports).toHaveLength(2)
  expect((await list('?limit=200')).json).not.toHaveProperty('nextCursor')
})

test.each(['limit=0', 'limit=201', 'limit=x', 'page_size=1.5', 'cursor=zzz', 'cursor=WzEsMl0', 'page_token=%00'])(
  '400 invalid_argument for the report list with %s',
  async (query) => {
    const { status, json } = await list(`?${query}`)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  },
)

test('an organization without reports gets an empty last page', async () => {
  expect((await list()).json).toEqual({ reports: [] })
})

test('400 invalid_argument for a cursor from another organization’s list', async () => {
  const slug = `other-${randomUUID().slice(0, 8)}`
  await createOrganization(platform.services, { slug })
  const other = await platform.newKey({ organizations: [slug] })
  await beginMany(2)
  const { json } = await list('?limit=1')
  const response = await platform.request('GET', `/reports?cursor=${json.nextCursor}`, { key: other })
  expect([response.status, response.json.error]).toEqual([400, 'invalid_argument'])
})

describe('paging', () => {
  test('paging lists every report once, at any page size', async () => {
    await beginMany(7)
    for (const limit of [1, 2, 3, 7]) {
      expect(titles(await walk(limit))).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
    }
  })

  test('a report that changes during paging is neither skipped nor repeated', async () => {
    const ids = await beginMany(6)
    const seen = await walk(2, async (page) => {
      if (page > 0) return
      await touch(ids[0])
      await touch(ids[5])
      await touch(ids[0])
      await begin('new')
    })
    expect(titles(seen)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
    expect(titles((await list()).json.reports)).toEqual(['new', 'r0', 'r5', 'r4', 'r3', 'r2', 'r1'])
  })

  test('a report whose changes were deleted after a day keeps its position from before the paging started', async () => {
    const ids = await beginMany(3)
    const { json } = await list('?limit=1')
    await touch(ids[0])
    await platform.services.db.execute(
      sql`update report_changes set changed_at = changed_at - interval '25 hours' where report_id = ${ids[0]}`,
    )
    await touch(ids[0])
    expect(titles((await list(`?limit=9&cursor=${json.nextCursor}`)).json.reports)).toEqual(['r1', 'r0'])
  })

  test('paging lists every remaining report once while others create, edit and delete reports', async () => {
    const ids = await beginMany(30)
    const stop = new AbortController()
    const disturb = async (seed: number) => {
      for (let step = seed; !stop.signal.aborted; step += 3) {
        await touch(ids[10 + (step % 20)])
        if (step % 5 === 0) await begin('noise')
        if (step < 10) await platform.request('DELETE', `/reports/${ids[step]}`, { key })
      }
    }
    const disturbers = [disturb(0), disturb(1), disturb(2)]
    for (let round = 0; round < 5; round += 1) {
      const seen = titles(await walk(3)).filter((title) => title !== 'noise')
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toEqual(expect.arrayContaining(ids.slice(10).map((_, at) => `r${at + 10}`)))
    }
    stop.abort()
    await Promise.all(disturbers)
  })
})
