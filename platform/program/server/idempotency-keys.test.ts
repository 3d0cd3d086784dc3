import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { queryRows } from '#platform/ground/database/query-rows.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
await platform.request('POST', '/experiments', {
  yaml: 'id: bench\nname: Bench\nagents: [{ id: a, command: ["true"] }]\ntests: [{ name: t, command: ["true"] }]\n',
})
afterAll(() => platform.close())

type Call = { idempotencyKey?: string; key?: string; body?: object }
const send = (path: string, { idempotencyKey, key, body }: Call) =>
  platform.request('POST', path, {
    ...(key && { key }),
    body,
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  })
const create = (title: string, call: Call = {}) => send('/reports', { body: { title }, ...call })
const titles = async () =>
  (await platform.request('GET', '/reports?limit=100')).json.reports.map(({ title }: { title: string }) => title)
const timesOf = async (title: string) => (await titles()).filter((each: string) => each === title).length

describe('a report', () => {
  test('sending the same request again with its key returns the report that the first one created', async () => {
    const first = await create('Sent twice', { idempotencyKey: 'a' })
    await platform.request('PATCH', `/reports/${first.json.report.id}`, {
      body: { description: 'Edited', expectedUpdatedAt: first.json.report.updatedAt },
    })
    const second = await create('Sent twice', { idempotencyKey: 'a' })
    expect([second.status, second.json.report.id]).toEqual([200, first.json.report.id])
    expect(second.json.report.description).toBe('Edited')
    expect(await timesOf('Sent twice')).toBe(1)
  })

  test('requests at the same time with one key create one report', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => create('At once', { idempotencyKey: 'b' })))
    expect(new Set(all.map(({ json }) => json.report.id)).size).toBe(1)
    expect(await timesOf('At once')).toBe(1)
  })

  test('without a key, with another key, or by another person, the same content is another report', async () => {
    const other = await platform.newKey()
    await create('Mine', { idempotencyKey: 'c' })
    await create('Mine')
    await create('Mine', { idempotencyKey: 'd' })
    await create('Mine', { idempotencyKey: 'c', key: other })
    expect(await timesOf('Mine')).toBe(4)
  })

  test('a refused request claims no key', async () => {
    expect((await create(' ', { idempotencyKey: 'e' })).status).toBe(400)
    expect((await create('After a refusal', { idempotencyKey: 'e' })).status).toBe(200)
  })

  test('400 for a key that another request used, or whose report was deleted, and nothing is created', async () => {
    const { json } = await create('First', { idempotencyKey: 'f' })
    const another = await create('Another', { idempotencyKey: 'f' })
    expect([another.status, another.json.message]).toEqual([400, expect.stringContaining('another request')])
    await platform.request('DELETE', `/reports/${json.report.id}`)
    const deleted = await create('First', { idempotencyKey: 'f' })
    expect([deleted.status, deleted.json.message]).toEqual([400, expect.stringContaining('was deleted')])
    expect(await titles()).not.toContain('First')
  })

  test.each(['', 'has a space', 'x'.repeat(201)])('400 for the key "%s"', async (idempotencyKey) => {
    const { status, json } = await create('Bad key', { idempotencyKey })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(json.message).toContain('1 to 200 visible ASCII characters')
  })

  test('a key is forgotten after a day, and its row is deleted', async () => {
    const { db } = platform.services
    await create('Yesterday', { idempotencyKey: 'g' })
    await db.execute(sql`update idempotency_keys set created_at = now() - interval '25 hours'`)
    await create('Yesterday', { idempotencyKey: 'g' })
    expect(await timesOf('Yesterday')).toBe(2)
    const kept = await queryRows(db, sql`select key from idempotency_keys`, z.object({ key: z.string() }))
    expect(kept).toEqual([{ key: 'g' }])
  })
})

describe('a submission', () => {
  const submit = (call: Call = {}) => send('/experiments/bench/runs', { body: { mock: true, repeat: 2 }, ...call })
  const requests = async () => (await platform.request('GET', '/runs?limit=1000')).json.runs.length / 2

  test('sending it again with its key starts no more runs and returns the same receipt', async () => {
    const before = await requests()
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => submit({ idempotencyKey: 'run' })))
    for (const other of others) expect([other.status, other.json]).toEqual([202, first?.json])
    expect(await requests()).toBe(before + 1)
    await submit()
    expect(await requests()).toBe(before + 2)
  })

  test('400 if a new version was pushed meanwhile, because the same request would start other runs', async () => {
    await submit({ idempotencyKey: 'latest' })
    await platform.request('POST', '/experiments', {
      yaml: 'id: bench\nname: Bench\nagents: [{ id: b, command: ["true"] }]\ntests: [{ name: t, command: ["true"] }]\n',
    })
    const before = await requests()
    expect((await submit({ idempotencyKey: 'latest' })).status).toBe(400)
    expect(await requests()).toBe(before)
  })
})
