import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { folderBlobs } from './folder-blobs.ts'
import { removeUnfinished } from './remove-unfinished.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-blobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const partsIn = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'))

test('a blob that cannot be written leaves no half-written file behind', async () => {
  const blobs = folderBlobs(folder)
  await blobs.put('taken/inside', Buffer.from('x'))
  // The target is a folder with content, so the rename fails as it does on a full disk.
  await expect(blobs.put('taken', Buffer.from('y'))).rejects.toThrow()
  expect(await partsIn()).toEqual([])
  expect(await blobs.get('taken/inside')).toEqual(Buffer.from('x'))
})

test('unfinished files of killed processes are removed; blobs and files in progress stay', async () => {
  const blobs = folderBlobs(folder)
  await blobs.put('transcripts/run/1.jsonl', Buffer.from('x'))
  const abandoned = ['transcripts/run/2.jsonl.a.part', '.unfinished/b.part'].map((name) => join(folder, name))
  for (const path of abandoned) {
    await writeFile(path, 'half')
    await utimes(path, 0, 0)
  }
  await writeFile(join(folder, '.unfinished/c.part'), 'just started')
  expect(await removeUnfinished(folder)).toBe(2)
  expect(await partsIn()).toEqual(['.unfinished/c.part'])
  expect(await blobs.has('transcripts/run/1.jsonl')).toBe(true)
})
