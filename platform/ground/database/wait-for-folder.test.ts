import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { lockFolder } from './lock-folder.ts'
import { waitForFolder } from './wait-for-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const nobodyServes = async () => false

test('a start waits for a command that locks the data folder for a moment', async () => {
  const command = lockFolder(folder)
  let looks = 0
  const isServed = async () => {
    looks += 1
    if (looks === 3) command.release()
    return false
  }
  const lock = await waitForFolder(folder, { isServed })
  expect(looks).toBe(3)
  expect(() => lockFolder(folder)).toThrow('Another process uses the data folder')
  lock.release()
})

test('a folder of a running service is refused at once; a folder that a command locks too long is refused in the end', async () => {
  const holder = lockFolder(folder)
  await expect(waitForFolder(folder, { isServed: async () => true })).rejects.toThrow('Another process')
  await expect(waitForFolder(folder, { isServed: nobodyServes, patienceMs: 200 })).rejects.toThrow('Another process')
  holder.release()
})
