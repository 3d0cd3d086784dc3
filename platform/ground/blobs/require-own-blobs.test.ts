import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { OpenDatabase } from '#platform/ground/database/open-database.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { copyBlobs } from './copy-blobs.ts'
import { folderStore } from './folder-blobs.ts'
import { requireOwnBlobs } from './require-own-blobs.ts'

let database: OpenDatabase
let ours: string
let another: string
beforeEach(async () => {
  database = await openTestDatabase()
  ;[ours = '', another = ''] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'assay-store-'))))
})
afterEach(async () => {
  await database.close()
  for (const folder of [ours, another]) await rm(folder, { recursive: true, force: true })
})

const server = (folder: string) => requireOwnBlobs(database.db, folderStore(folder), { mayClaim: true })
const worker = (folder: string) => requireOwnBlobs(database.db, folderStore(folder), { mayClaim: false })

test('a worker or a server with another blob folder is refused with an error that says how to fix it', async () => {
  await server(ours)
  for (const start of [worker, server]) {
    await expect(start(another)).rejects.toThrow('belongs to another database, or to none')
    await start(ours)
  }
})

test('a worker that starts before any server waits for one instead of claiming its own folder', async () => {
  await expect(worker(ours)).rejects.toThrow('start a server once')
  await server(another)
  await worker(another)
})

test('a replacement folder is accepted once it contains the store id', async () => {
  await server(ours)
  await writeFile(join(another, 'store-id'), await readFile(join(ours, 'store-id')))
  await worker(another)
  await server(another)
})

test('a new store is refused while the earlier one has files that were not copied', async () => {
  const earlier = folderStore(ours)
  await earlier.put('packages/a', Buffer.from('1'))
  const start = () => requireOwnBlobs(database.db, folderStore(another), { mayClaim: true, earlier })
  await expect(start()).rejects.toThrow(`npm run -s assay -- blobs copy --from ${ours} --to ${another}`)
  await copyBlobs(earlier, folderStore(another))
  await start()
})

test('when two servers start at once with different folders, one is refused', async () => {
  const results = await Promise.allSettled([server(ours), server(another)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('when ten servers start at once with one folder, all of them start', async () => {
  await Promise.all(Array.from({ length: 10 }, () => server(ours)))
  expect((await readdir(ours)).toSorted()).toEqual(['store-id'])
})

test('two servers that start at once on a new store choose one id, even where the store keeps the last of two', async () => {
  let stored: string | null = null
  const careless = {
    ...folderStore(join(tmpdir(), 'assay-never-made')),
    readId: async () => stored,
    async writeId(id: string) {
      const before = stored
      await setImmediate()
      stored = id
      return before ?? id
    },
  }
  const start = () => requireOwnBlobs(database.db, careless, { mayClaim: true })
  await Promise.all([start(), start()])
  await start()
})
