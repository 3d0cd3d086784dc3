import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { inProbeFolder } from './probe-folder.ts'

const temporary = mkdtempSync(join(tmpdir(), 'assay-probes-'))

beforeAll(() => vi.stubEnv('TMPDIR', temporary))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true, force: true })
})

test('the folder of a probe exists during the probe only, even if the probe fails', async () => {
  const folders: string[] = []
  const probe = inProbeFolder(async (folder) => {
    folders.push(folder)
    expect(existsSync(folder)).toBe(true)
    throw new Error('not confined')
  })
  await expect(probe).rejects.toThrow('not confined')
  expect(folders.map((folder) => existsSync(folder))).toEqual([false])
})

test('a probe removes the folders of killed probes, but neither those of running ones nor other files', async () => {
  const hourAgo = new Date(Date.now() - 60 * 60_000)
  const [killed, running, other] = ['assay-probe-killed', 'assay-probe-running', 'somebody-else'].map((name) =>
    join(temporary, name),
  ) as [string, string, string]
  for (const folder of [killed, running, other]) mkdirSync(folder)
  for (const folder of [killed, other]) utimesSync(folder, hourAgo, hourAgo)
  await inProbeFolder(async () => {})
  expect([killed, running, other].map((folder) => existsSync(folder))).toEqual([false, true, true])
})
