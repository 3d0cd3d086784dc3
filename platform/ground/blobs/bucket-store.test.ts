import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startFauxqs } from 'fauxqs'
import { afterAll, expect, test } from 'vitest'

import { readOutage } from '#platform/ground/failures/outage.ts'
import { startTestBucket } from '#platform/program/testing/test-bucket.ts'
import type { BlobStore } from './blobs.ts'
import { openBucketStore } from './bucket-store.ts'
import { copyBlobs } from './copy-blobs.ts'
import { readBucketAddress } from './read-address.ts'
import { folderStore } from './folder-blobs.ts'

const server = await startTestBucket()
const folder = await mkdtemp(join(tmpdir(), 'assay-bucket-'))
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const open = (inside: string) => openBucketStore(server.address(inside))

async function keysOf(store: BlobStore) {
  const found: [string, number][] = []
  for await (const { key, bytes } of store.list()) found.push([key, bytes])
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

test.each([
  ['a bucket', () => open('kept')],
  ['a folder', async () => folderStore(join(folder, 'kept'))],
])('%s keeps, lists and forgets blobs', async (_, opened) => {
  const store = await opened()
  expect(await store.get('transcripts/a/1.jsonl')).toBeNull()
  expect(await store.has('transcripts/a/1.jsonl')).toBe(false)
  await store.put('transcripts/a/1.jsonl', Buffer.from('one'))
  await store.put('transcripts/a/1.jsonl', Buffer.from('three'))
  await store.put('packages/ü %2F.bin', new Uint8Array([0, 255, 10]))
  await store.put('empty', new Uint8Array())
  expect(Buffer.from((await store.get('transcripts/a/1.jsonl')) ?? []).toString()).toBe('three')
  expect([...((await store.get('packages/ü %2F.bin')) ?? [])]).toEqual([0, 255, 10])
  expect(await store.get('empty')).toHaveLength(0)
  expect(await store.has('empty')).toBe(true)
  expect(await keysOf(store)).toEqual([
    ['empty', 0],
    ['packages/ü %2F.bin', 3],
    ['transcripts/a/1.jsonl', 5],
  ])
  await store.delete('empty')
  await store.delete('empty')
  expect(await store.has('empty')).toBe(false)
  expect(await store.readId()).toBeNull()
  expect(await store.writeId('one')).toBe('one')
  expect(await store.readId()).toBe('one')
  expect((await keysOf(store)).map(([key]) => key)).not.toContain('store-id')
})

test('a blob of 40 MB is written in parts and read back', async () => {
  const store = await open('large')
  const bytes = Buffer.alloc(40 * 1024 * 1024, 'abcdefg')
  await store.put('large', bytes)
  expect(Buffer.compare(Buffer.from((await store.get('large')) ?? []), bytes)).toBe(0)
})

test('folders of one bucket are kept apart', async () => {
  const [one, two] = [await open('one'), await open('two')]
  await one.put('a', Buffer.from('1'))
  expect(await two.get('a')).toBeNull()
  expect(await keysOf(two)).toEqual([])
})

test('a bucket that does not exist is refused at the start', async () => {
  await expect(openBucketStore(server.address('', 'absent'))).rejects.toThrow(
    'The bucket absent cannot be used: it does not exist',
  )
})

test('a store that does not answer is an outage, so the write is tried again', async () => {
  const own = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  own.createBucket('short-lived')
  const store = await openBucketStore(readBucketAddress(`s3://short-lived?endpoint=http://127.0.0.1:${own.port}`))
  await own.stop()
  const error = await store.put('a', Buffer.from('1')).catch((thrown: unknown) => thrown)
  expect(readOutage(error)).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('storage for packages and transcripts'),
  })
})

test('a store that accepts a request and never answers is an outage too', async () => {
  const silent = createServer((request) => request.resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  let isSilent = false
  silent.on('request', (_, answer) => isSilent || answer.end())
  const address = readBucketAddress(`s3://silent?endpoint=http://127.0.0.1:${port}`)
  const store = await openBucketStore(address, { requestTimeoutMs: 100 })
  isSilent = true
  const error = await store.get('a').catch((thrown: unknown) => thrown)
  expect(readOutage(error)).toMatchObject({ code: 'unavailable' })
  silent.closeAllConnections()
  silent.close()
})

test('a copy from a store without an id gives both the same one', async () => {
  const [from, to] = [folderStore(join(folder, 'unnamed')), await open('named')]
  await from.put('a', Buffer.from('1'))
  await copyBlobs(from, to)
  expect(await to.readId()).not.toBeNull()
  expect(await from.readId()).toBe(await to.readId())
})

test('a copy can be repeated, continues where it ended, and ends with the id', async () => {
  const from = folderStore(join(folder, 'source'))
  await from.writeId('ours')
  for (let index = 0; index < 30; index += 1) await from.put(`runs/${index}`, Buffer.from(`run ${index}`))
  const to = await open('copied')
  let left = 10
  const failing: BlobStore = {
    ...to,
    put: (...given) => ((left -= 1) < 0 ? Promise.reject(new Error('cut off')) : to.put(...given)),
  }
  await expect(copyBlobs(from, failing)).rejects.toThrow('cut off')
  expect(await to.readId()).toBeNull()
  const seen: number[] = []
  const copied = await copyBlobs(from, to, (done) => seen.push(done.blobs))
  expect(copied.alreadyThere).toBe(10)
  expect(copied.blobs).toBe(20)
  expect(seen.at(-1)).toBe(20)
  expect(await keysOf(to)).toEqual(await keysOf(from))
  expect(await to.readId()).toBe('ours')
  expect(await copyBlobs(from, to)).toMatchObject({ blobs: 0, alreadyThere: 30 })
})

test('a copy over the files of another database is refused', async () => {
  const [from, to] = [folderStore(join(folder, 'theirs')), await open('ours')]
  await from.writeId('theirs')
  await to.writeId('ours')
  await expect(copyBlobs(from, to)).rejects.toThrow('has the files of another database')
})
