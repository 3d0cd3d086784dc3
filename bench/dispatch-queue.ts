import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { createKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { buildPlatform } from '#platform/program/server/build-platform.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'

/** Two agents and five prompts, so ten variants. */
const definition = {
  id: 'dispatched',
  name: 'Dispatched',
  agents: ['a', 'b'].map((id) => ({ id, command: ['true'] })),
  prompts: ['p', 'q', 'r', 's', 't'].map((id) => ({ id, text: 'Answer.' })),
  tests: ['one', 'two', 'three', 'four'].map((name) => ({ name, command: ['true'] })),
}

/** A platform without workers and with so many queued mock runs, a multiple of ten. */
export async function openQueue(queued: number, settings: Record<string, string> = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-dispatch-'))
  const environment = { ...settings, DATA_DIR: dataFolder, ASSAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') }
  const platform = await buildPlatform(
    readPlatformConfig({ ...environment, WORKER_SLOTS: '0', ASSAY_DEMO: 'off', LOG_LEVEL: 'silent' }),
  )
  const { services } = platform
  const app = await platform.http()
  const { id: organizationId } = await createOrganization(services, { slug: 'lab' })
  const person = { email: 'admin@lab.example', organizations: ['lab'] }
  const key = await createKey(services, { ...person, role: 'admin', kind: 'personal' })
  const post = async (path: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const { statusCode, body } = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload })
    if (statusCode >= 300) throw new Error(`${path}: ${body}`)
  }
  const submit = () => post('/experiments/dispatched/runs', { mock: true, repeat: queued / 10 })
  await post('/experiments', { experimentYaml: JSON.stringify(definition) })
  await submit()
  await services.db.execute(sql`analyze`)
  return {
    services,
    organizationId,
    dataFolder,
    environment,
    submit,
    async close() {
      await app.close()
      await platform.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export async function untilEnded(db: Database) {
  const unfinished = sql`select exists (select from runs where status in ('queued', 'running')) as "hasMore"`
  for (;;) {
    const { rows } = (await db.execute(unfinished)) as unknown as { rows: { hasMore: boolean }[] }
    if (!rows[0]?.hasMore) return
    await delay(100)
  }
}
