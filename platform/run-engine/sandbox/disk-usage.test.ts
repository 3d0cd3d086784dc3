import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createDiskCheck, diskUsageMb, kilobytesOfFile } from './disk-usage.ts'

const count = 500

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-files-'))
  for (let file = 0; file < count; file += 1) await writeFile(join(folder, `empty ${file}`), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('many empty files count for the room that a disk has for files', async () => {
  expect(await diskUsageMb([folder])).toBeGreaterThanOrEqual((count * kilobytesOfFile) / 1024)
})

test('a run may use a quarter of the files for which its disk had room', async () => {
  expect(await createDiskCheck([folder], 10_240, Promise.resolve(1600))()).toBe('It made more than 400 files')
  expect(await createDiskCheck([folder], 10_240, Promise.resolve(8000))()).toBeNull()
  expect(await createDiskCheck([folder], 10_240, Promise.resolve(Infinity))()).toBeNull()
  expect(await createDiskCheck([folder], 1, Promise.resolve(Infinity))()).toBe('It made more than 64 files')
})
