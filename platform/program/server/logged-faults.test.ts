import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { buildHttp } from './build-http.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

test('a request whose statement fails leaves its SQL and the reason in the log, and none of its values', async () => {
  const file = join(tmpdir(), `assay-faults-${process.pid}.log`)
  const app = await buildHttp(platform.services, [], { logger: { level: 'trace', file } })
  app.get('/fails', () =>
    platform.services.db.execute(sql`SELECT 1 / length(replace(${'sk-value'}, ${'sk-value'}, ''))`),
  )
  try {
    const answer = await app.inject({ method: 'GET', url: '/fails' })
    expect(answer.json()).toMatchObject({ error: 'internal' })
    await app.close()
    await expect.poll(() => readFile(file, 'utf8')).toContain('division by zero')
    const log = await readFile(file, 'utf8')
    expect(log).toContain('Failed query: SELECT 1 / length(replace($1, $2, ')
    expect(log).not.toContain('sk-value')
  } finally {
    await rm(file, { force: true })
  }
})
