import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { requirePrivateFolder } from '#platform/ground/database/private-folder.ts'
import { assay, startPlatformProcess } from '#platform/program/testing/platform-process.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'assay-private-'))
  folder = join(parent, "a person's data")
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const isOpenToOthers = (path: string) => (statSync(path).mode & 0o077) !== 0

test('a data folder that does not exist is created for its owner alone', () => {
  requirePrivateFolder(join(folder, 'data'))
  expect(isOpenToOthers(folder)).toBe(false)
  expect(isOpenToOthers(join(folder, 'data'))).toBe(false)
})

test.for([0o755, 0o750, 0o711, 0o701, 0o720])(
  'a data folder of mode %o is refused with the command that restricts it',
  (mode) => {
    mkdirSync(folder)
    chmodSync(folder, mode)
    let message = ''
    try {
      requirePrivateFolder(folder)
    } catch (error) {
      message = String(error)
    }
    const [, command = ''] = /Restrict it with: (.*)$/.exec(message) ?? []
    expect(command).toMatch(/^chmod -R go= /)
    expect(spawnSync('sh', ['-c', command]).status).toBe(0)
    requirePrivateFolder(folder)
  },
)

test('the platform and the CLI create nothing that other users can open, with any umask', async () => {
  const before = process.umask(0)
  let platform: Awaited<ReturnType<typeof startPlatformProcess>> | undefined
  try {
    platform = await startPlatformProcess(folder)
    assay(folder, 'org', 'create', '--slug', 'annex')
  } finally {
    process.umask(before)
    await platform?.stop('SIGTERM')
  }
  const made = readdirSync(folder).map((name) => join(folder, name))
  expect(made.length).toBeGreaterThan(4)
  // Inside the engine folders, the embedded engines choose their own modes.
  expect(made.filter(isOpenToOthers)).toEqual([])
})

test('the platform does not start on a data folder that others can open', () => {
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  expect(() => assay(folder, 'org', 'create', '--slug', 'lab')).toThrow('chmod -R go=')
  expect(readdirSync(folder)).toEqual([])
})

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A file without exports is a program. A worker thread has the umask of its process. */
const programs = ['platform', 'BFF'].flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(\.test|-worker)\.ts$|(^|\/)testing\//.test(name))
    .map((name) => join(part, name))
    .filter((name) => !/^export /m.test(readFileSync(join(root, name), 'utf8'))),
)

test('every program sets a umask that keeps other users out', () => {
  expect(programs).toContain('platform/program/cli/main.ts')
  const open = [...programs, 'tools/start.mjs'].filter(
    (name) => !readFileSync(join(root, name), 'utf8').includes('process.umask(0o077)'),
  )
  expect(open).toEqual([])
})
