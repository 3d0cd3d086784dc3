import { randomUUID } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { create } from 'tar'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openDatabase } from '#platform/ground/database/open-database.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { seedState } from '#platform/program/testing/platform-process.ts'
import { submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { buildPlatform } from '#platform/program/server/build-platform.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string) => join(folder, name)

const openIn = (dataFolder: string) =>
  buildPlatform(readPlatformConfig({ DATA_DIR: dataFolder, WORKER_SLOTS: '0', ASSAY_DEMO: 'off' }))

const open = (name: string) => openIn(inFolder(name))
type Opened = Awaited<ReturnType<typeof openIn>>

async function openNew(name: string) {
  await mkdir(inFolder(name), { mode: 0o700 })
  await seedState(inFolder(name))
  return open(name)
}

/** The backup that a service makes. */
const backUp = (platform: Opened, file: string) => makeBackup(stateOf(platform), inFolder(file))

function stateOf({ services }: Opened) {
  if (!services.state) throw new Error('not embedded')
  return services.state
}

const definition = { id: 'kept', name: 'Kept', agents: [{ id: 'a', command: ['true'] }] }

test('a restored installation has every acknowledged write, its files and its keys, and rebuilds its analytics', async () => {
  const before = await openNew('before')
  const organization = await createOrganization(before.services, { slug: 'lab' })
  const person = { email: 'admin@lab.example', organizations: ['lab'] }
  const key = await createKey(before.services, { ...person, role: 'admin', kind: 'personal' })
  const { runIds } = await submitTestRuns(before.services.db, { definition, repeat: 3, mock: true })
  await before.services.db.update(runs).set({ status: 'completed' })
  await before.services.blobs.put('transcripts/a/1.jsonl', Buffer.from('turn'))
  await mkdir(inFolder('before/people'))
  await writeFile(inFolder('before/people/admin.json'), '{}')
  await mkdir(inFolder('before/logs'), { recursive: true })
  await writeFile(inFolder('before/logs/platform.log'), 'line')
  expect(await backUp(before, 'one.tar.gz')).toBeGreaterThan(1000)
  // After the backup, so not in it.
  await createOrganization(before.services, { slug: 'later' })
  await before.close()

  const manifest = await restoreBackup(inFolder('one.tar.gz'), inFolder('after'))
  expect(manifest).toMatchObject({ format: 1, bucket: null })
  const names = await readdir(inFolder('after'))
  expect(names.toSorted()).toEqual(['blobs', 'encryption-keys', 'people', 'state'])
  expect((await stat(inFolder('after'))).mode & 0o077).toBe(0)
  const after = await open('after')
  const app = await after.http()
  const who = await app.inject({ url: '/api/v1/whoami', headers: { authorization: `Bearer ${key}` } })
  expect(who.json().organizations).toMatchObject([{ id: organization.id, slug: 'lab' }])
  expect((await after.services.db.select().from(runs)).map(({ id }) => id).toSorted()).toEqual(runIds.toSorted())
  expect(await after.services.db.select().from(analyticsOutbox)).toHaveLength(3)
  expect(Buffer.from((await after.services.blobs.get('transcripts/a/1.jsonl')) ?? []).toString()).toBe('turn')
  expect(await readFile(inFolder('after/encryption-keys'))).toEqual(await readFile(inFolder('before/encryption-keys')))
  await app.close()
  await after.close()
})

test('a backup is made while the service writes, and has every write acknowledged before it', async () => {
  const platform = await openNew('busy')
  const acknowledged: string[] = []
  const over = new AbortController()
  const writing = (async () => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      await createOrganization(platform.services, { slug: `lab-${index}` })
      await platform.services.blobs.put(`packages/${index}`, Buffer.from(`${index}`))
      if (index > 0) await platform.services.blobs.delete(`packages/${index - 1}`)
      acknowledged.push(`lab-${index}`)
    }
  })()
  while (acknowledged.length < 5) await new Promise((done) => setImmediate(done))
  const known = [...acknowledged]
  await backUp(platform, 'busy.tar.gz')
  over.abort()
  await writing
  await platform.close()
  await restoreBackup(inFolder('busy.tar.gz'), inFolder('restored'))
  const restored = await open('restored')
  const { rows } = (await restored.services.db.execute('select slug from organizations')) as {
    rows: { slug: string }[]
  }
  expect(rows.map(({ slug }) => slug)).toEqual(expect.arrayContaining(known))
  await restored.close()
})

describe('of one installation', () => {
  let [source, kept, made] = ['', '', '']
  let platform: Opened
  beforeAll(async () => {
    source = await mkdtemp(join(tmpdir(), 'assay-backup-source-'))
    kept = await mkdtemp(join(tmpdir(), 'assay-backup-kept-'))
    made = join(kept, 'one.tar.gz')
    await seedState(source)
    platform = await openIn(source)
    await makeBackup(stateOf(platform), made)
  })
  afterAll(async () => {
    await platform.close()
    await rm(source, { recursive: true, force: true })
    await rm(kept, { recursive: true, force: true })
  })

  test('a backup is private, whole or absent, and never replaces a file', async () => {
    expect((await stat(made)).mode & 0o077).toBe(0)
    const before = await readFile(made)
    await expect(makeBackup(stateOf(platform), made)).rejects.toThrow('exists already')
    expect((await readFile(made)).equals(before)).toBe(true)
    await expect(backUp(platform, 'absent/one.tar.gz')).rejects.toThrow('does not exist')
    await symlink(join(source, 'state'), inFolder('outside'))
    for (const place of [
      join(source, 'backup-today.tar.gz'),
      join(source, 'state/one.tar.gz'),
      inFolder('outside/one.tar.gz'),
    ])
      await expect(makeBackup(stateOf(platform), place)).rejects.toThrow('is in the data folder')
    const left = await readdir(source)
    expect(left.filter((name) => name.startsWith('backup-'))).toEqual([])
  })

  test('a second backup at the same time is refused, and the first one is whole; files of other names stay', async () => {
    await writeFile(join(source, 'backup-notes.txt'), 'mine')
    await mkdir(join(source, `backup-${randomUUID()}`))
    const [first, second] = await Promise.allSettled([backUp(platform, 'one.tar.gz'), backUp(platform, 'two.tar.gz')])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect(second).toMatchObject({ reason: { code: 'failed_precondition' } })
    const left = await readdir(source)
    expect(left.filter((name) => name.startsWith('backup-'))).toEqual(['backup-notes.txt'])
    await backUp(platform, 'three.tar.gz')
    await restoreBackup(inFolder('one.tar.gz'), inFolder('restored'))
  })

  test('what cannot be restored is refused, and nothing is left of it', async () => {
    await mkdir(inFolder('taken'))
    await writeFile(inFolder('taken/notes.txt'), 'mine')
    await expect(restoreBackup(made, inFolder('taken'))).rejects.toThrow('is not empty')
    expect(await readdir(inFolder('taken'))).toEqual(['notes.txt'])

    const whole = await readFile(made)
    await writeFile(inFolder('cut.tar.gz'), whole.subarray(0, whole.byteLength / 2))
    await expect(restoreBackup(inFolder('cut.tar.gz'), inFolder('new'))).rejects.toThrow('cannot be read as a backup')

    await writeFile(inFolder('other.txt'), 'x')
    await create({ gzip: true, file: inFolder('other.tar.gz'), cwd: folder }, ['other.txt'])
    await expect(restoreBackup(inFolder('other.tar.gz'), inFolder('new'))).rejects.toThrow('is not a backup of Assay')

    await writeFile(inFolder('backup.json'), JSON.stringify({ format: 2 }))
    await create({ gzip: true, file: inFolder('newer.tar.gz'), cwd: folder }, ['backup.json'])
    await expect(restoreBackup(inFolder('newer.tar.gz'), inFolder('new'))).rejects.toThrow('newer version')

    const manifest = { format: 1, madeAt: new Date().toISOString(), migration: '0001', bucket: null }
    await writeFile(inFolder('backup.json'), JSON.stringify(manifest))
    await create({ gzip: true, file: inFolder('part.tar.gz'), cwd: folder }, ['backup.json'])
    await expect(restoreBackup(inFolder('part.tar.gz'), inFolder('new'))).rejects.toThrow('its database is missing')

    await expect(access(inFolder('new'))).rejects.toThrow()
    expect((await readdir(folder)).filter((name) => name.includes('restoring'))).toEqual([])
  })

  test('deletions wait while a backup links the blobs, and happen afterwards', async () => {
    const { services } = platform
    await services.blobs.put('a', Buffer.from('1'))
    const release = services.state?.holdDeletes()
    await services.blobs.delete('a')
    expect(await services.blobs.has('a')).toBe(true)
    await release?.()
    expect(await services.blobs.has('a')).toBe(false)
  })
})

test('a database of a newer version is refused with a sentence', async () => {
  await mkdir(inFolder('source'), { mode: 0o700 })
  await seedState(inFolder('source'))
  const { db, close } = await openDatabase({ folder: inFolder('source/state') })
  await db.execute(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.now() + 1e12})`)
  await close()
  await expect(open('source')).rejects.toThrow('newer version of Assay')
})
