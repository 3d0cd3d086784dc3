import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { infrastructureOf, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { asFailure, isDiskFull, isFull } from './full-disk.ts'

test('a full disk is reported as disk_full, and other errors are unchanged', async () => {
  const full = await asFailure(Object.assign(new Error('write'), { code: 'ENOSPC' }), tmpdir())
  expect(full && infrastructureOf(full)).toEqual({ cause: 'disk_full', isTransient: true })
  const own = new RunFailure('Setup command make failed')
  expect(await asFailure(own, tmpdir())).toBe(own)
  expect(await asFailure(new TypeError('x is not a function'), tmpdir())).toBeNull()
})

test('a disk without room for further files is full, whatever its free space', () => {
  const bytes = 2 ** 40
  expect(isFull({ bytes, files: 6_000_000, freeFiles: 9999 })).toBe(true)
  expect(isFull({ bytes, files: 6_000_000, freeFiles: 10_000 })).toBe(false)
  expect(isFull({ bytes, files: 5000, freeFiles: 49 })).toBe(true)
  expect(isFull({ bytes, files: 5000, freeFiles: 50 })).toBe(false)
  // A file system without such a limit.
  expect(isFull({ bytes, files: 0, freeFiles: 0 })).toBe(false)
  expect(isFull({ bytes: 1000, files: 6_000_000, freeFiles: 6_000_000 })).toBe(true)
})

test('a folder that does not exist yet is on the disk of its parent', async () => {
  expect(await isDiskFull(join(tmpdir(), 'not', 'there', 'yet'))).toBe(false)
})
