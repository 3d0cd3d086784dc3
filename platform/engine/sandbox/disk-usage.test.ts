import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { checkWhenDue, createDiskCheck, diskUsageMb, kilobytesOfFile, roomOf } from './disk-usage.ts'

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

test('folders are measured again before their time when the disk has lost an eighth of its room', async () => {
  let room = { bytes: 1000, files: 1000 }
  let measurements = 0
  const check = checkWhenDue(async () => ((measurements += 1), measurements > 2 ? 'too much' : null), {
    everyMs: 600_000,
    rest: 9,
    readRoom: async () => room,
  })
  const after = async (loss: Partial<typeof room>) => {
    room = { ...room, ...loss }
    return { reason: await check(), measurements }
  }
  expect(await after({})).toEqual({ reason: null, measurements: 0 })
  expect(await after({ files: 900, bytes: 900 })).toEqual({ reason: null, measurements: 0 })
  expect(await after({ files: 870 })).toEqual({ reason: null, measurements: 1 })
  expect(await after({})).toEqual({ reason: null, measurements: 1 })
  expect(await after({ files: 800, bytes: 780 })).toEqual({ reason: null, measurements: 2 })
  expect(await after({ files: 690 })).toEqual({ reason: 'too much', measurements: 3 })
})

test('a disk without a limit for files has room for any number', async () => {
  const { bytes, files } = await roomOf(folder)
  expect([bytes > 0, files > 0]).toEqual([true, true])
  expect(await roomOf(join(folder, 'missing'))).toEqual({ bytes: Infinity, files: Infinity })
})

test('a folder of any name is measured, and nothing in its name is executed', async () => {
  const odd = join(folder, `it's $(touch made) "\`touch made\`" \\ #`)
  await mkdir(odd)
  await writeFile(join(odd, 'large'), Buffer.alloc(3 * 1024 ** 2))
  expect(await diskUsageMb([odd])).toBeGreaterThanOrEqual(3)
  expect(await diskUsageMb([`${odd}\nno such folder`])).toBe(0)
  expect(existsSync('made')).toBe(false)
})

test('one shell measures for everybody, and a new one if it ends', async () => {
  const shells = async () => {
    const { stdout } = await promisify(execFile)('pgrep', ['-P', String(process.pid), '-x', 'sh'])
    return stdout.trim().split('\n').map(Number)
  }
  const size = await diskUsageMb([folder])
  const before = await shells()
  const sizes = await Promise.all(Array.from({ length: 10 }, () => diskUsageMb([folder])))
  expect(new Set(sizes)).toEqual(new Set([size]))
  expect(await shells()).toEqual(before)
  for (const shell of before) process.kill(shell, 'SIGKILL')
  while ((await shells().catch(() => [])).length > 0) await delay(20)
  expect(await diskUsageMb([folder])).toBe(size)
})
