import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import type { OpenDatabase } from './open-database.ts'
import { openSignals, type Signal } from './open-signals.ts'

const server = process.env['TEST_DATABASE_URL'] ?? ''

describe.skipIf(!server)('signals between processes on one PostgreSQL', () => {
  let database: OpenDatabase
  let url: string
  beforeAll(async () => {
    database = await openTestDatabase()
    const { rows } = (await database.db.execute(sql`select current_database() as name`)) as unknown as {
      rows: { name: string }[]
    }
    url = Object.assign(new URL(server), { pathname: `/${rows[0]?.name}` }).href
  })
  afterAll(() => database.close())

  async function open() {
    const heard: Signal[] = []
    const signals = openSignals(database.db, url, { onSignal: (signal) => heard.push(signal), reconnectMs: 20 })
    onTestFinished(() => signals.close())
    await signals.listen()
    return { ...signals, heard }
  }

  /** Whatever was sent before has arrived when this signal has. */
  async function settle(from: { send: (signal: Signal) => void }, ...others: { heard: Signal[] }[]) {
    from.send('ended')
    for (const { heard } of others) await expect.poll(() => heard).toContain('ended')
  }

  test('a signal reaches every other process once, and not its sender', async () => {
    const [one, two, three] = [await open(), await open(), await open()]
    one.send('queued')
    await settle(one, two, three)
    expect([one.heard, two.heard, three.heard]).toEqual([[], ['queued', 'ended'], ['queued', 'ended']])
  })

  test('many signals within a moment are sent as two, and the last is not lost', async () => {
    const [one, two] = [await open(), await open()]
    for (let count = 0; count < 1000; count += 1) one.send('queued')
    await expect.poll(() => two.heard).toEqual(['queued', 'queued'])
  })

  test('a listener that lost its connection connects again, looks for what it missed, and hears later signals', async () => {
    const [one, two] = [await open(), await open()]
    await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen assay'`)
    await expect.poll(() => two.heard).toEqual(['queued', 'ended'])
    await expect.poll(() => one.heard).toEqual(['queued', 'ended'])
    two.heard.length = 0
    one.send('queued')
    await expect.poll(() => two.heard).toEqual(['queued'])
  })

  test('a listener whose database is down when it starts connects later, and closing never waits for it', async () => {
    const onSignal = vi.fn<(signal: Signal) => void>()
    const signals = openSignals(database.db, 'postgres://nobody@127.0.0.1:1/none', { onSignal })
    await signals.listen()
    await signals.close()
    expect(onSignal).not.toHaveBeenCalled()
  })
})
