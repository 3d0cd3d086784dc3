import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { runShell as runShellIn } from '#platform/program/testing/run-shell.ts'
import { detectSandbox } from './detect-sandbox.ts'
import { killLeftovers } from './kill-leftovers.ts'
import type { RunFolders, SandboxCommand } from './sandbox.ts'

const sandbox = await detectSandbox()

let folder: string
let folders: RunFolders
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-sandbox-'))
  folders = await makeRunFolders(join(folder, '1'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const runShell = (script: string, options: Partial<SandboxCommand> = {}, chosen = sandbox) =>
  runShellIn(chosen, folders, script, options)

/** The processes of this machine whose command line contains the mark. Each test uses its own mark. */
const processesWith = (mark: string) =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark))

/** A daemon that leaves its process group and closes its pipes. Its command line contains the mark. */
const daemon = (mark: string) => `setsid bash -c 'exec -a ${mark} sleep 300' </dev/null >/dev/null 2>&1 &`

describe.skipIf(!sandbox.status.available)(`in the sandbox (${sandbox.status.reason ?? sandbox.status.kind})`, () => {
  test('a command in the sandbox has its own exit code, output streams and stdin', async () => {
    const end = await runShell('cat; echo oops >&2; exit 7', { stdin: 'hello' })
    expect(end).toMatchObject({ exitCode: 7, stdout: 'hello', stderr: 'oops\n', timedOut: false, couldNotStart: null })
  })

  test('a missing program is reported as not started; a program that exits with 127 is not', async () => {
    const missing = await runShell('', { argv: ['no-such-program'] })
    expect(missing.couldNotStart).toContain('no-such-program')
    expect(missing.exitCode).toBeNull()
    expect(await runShell('exit 127')).toMatchObject({ exitCode: 127, couldNotStart: null })
  })

  test('a command line that is too long or contains NUL is reported as not started', async () => {
    const none = await detectSandbox({ wanted: 'none' })
    for (const chosen of [sandbox, none]) {
      const long = await runShell('', { argv: ['echo', 'x'.repeat(4_000_000)] }, chosen)
      expect(long).toMatchObject({ exitCode: null, couldNotStart: 'its command line is too long' })
      const forged = await runShell('', { argv: ['echo', 'a\0b'] }, chosen)
      expect(forged.couldNotStart).toMatch(/cannot be passed to a program$/)
    }
    const env = { LONG: 'x'.repeat(400_000) }
    expect((await runShell('true', { env })).couldNotStart).toContain('Argument list too long')
  })

  test('a command has the usual umask, whatever the platform’s umask', async () => {
    const before = process.umask(0o077)
    try {
      expect((await runShell('umask')).stdout.trim()).toBe('0022')
      expect(process.umask()).toBe(0o077)
    } finally {
      process.umask(before)
    }
  })

  test('the sandbox has the same Node version as the platform', async () => {
    expect(await runShell('node -p process.version')).toMatchObject({ stdout: `${process.version}\n` })
  })

  test('a timeout kills the command and a daemon that it started', async () => {
    const mark = `mark-${randomUUID()}`
    const end = await runShell(`${daemon(mark)} echo up; sleep 300`, { timeoutMs: 700 })
    expect(end).toMatchObject({ exitCode: null, timedOut: true, stdout: 'up\n' })
    expect(processesWith(mark)).toEqual([])
  })

  test('a daemon does not outlive a command that ends by itself', async () => {
    const mark = `mark-${randomUUID()}`
    const end = await runShell(`${daemon(mark)} sleep 0.3; echo done`)
    expect(end).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    expect(processesWith(mark)).toEqual([])
  })

  test('a stop kills a running command and all its processes', async () => {
    const mark = `mark-${randomUUID()}`
    const controller = new AbortController()
    const ending = runShell(`${daemon(mark)} sleep 300`, { signal: controller.signal })
    while (processesWith(mark).length === 0) await delay(20)
    controller.abort()
    expect(await ending).toMatchObject({ exitCode: null, stopped: true })
    expect(processesWith(mark)).toEqual([])
  })

  test('a stop at any moment of the start leaves no process behind', async () => {
    const mark = `mark-${randomUUID()}`
    const starts = Array.from({ length: 30 }, async (_, index) => {
      const controller = new AbortController()
      const ending = runShell(`exec -a ${mark} sleep 300`, { signal: controller.signal })
      await delay(index * 2)
      controller.abort()
      return ending
    })
    for (const end of await Promise.all(starts)) expect(end.stopped).toBe(true)
    expect(processesWith(mark)).toEqual([])
  })

  test.skipIf(sandbox.status.kind !== 'bubblewrap')(
    'processes that an earlier service left in the work folder are killed',
    async () => {
      const mark = `mark-${randomUUID()}`
      const ending = runShell(`exec -a ${mark} sleep 300`)
      while (!processesWith(mark).some((line) => line.includes(`${mark} 300`) && !line.includes('bwrap')))
        await delay(20)
      await killLeftovers(join(folder, 'elsewhere'))
      expect(processesWith(mark)).not.toEqual([])
      await killLeftovers(folder)
      await ending
      expect(processesWith(mark)).toEqual([])
    },
  )

  test.skipIf(sandbox.status.kind !== 'bubblewrap')(
    'a bubblewrap that lost its parent before the workspace was at its place is killed too',
    async () => {
      const elsewhere = ['--dev-bind', '/', '/', '--unshare-pid', '--bind', folders.workspace, '/mnt']
      const child = spawn('bwrap', [...elsewhere, '--', 'sh', '-c', 'echo up; sleep 300'])
      const ended = once(child, 'exit')
      await once(child.stdout, 'data')
      await killLeftovers(join(folder, 'elsewhere'))
      expect(child.exitCode ?? child.signalCode).toBeNull()
      await killLeftovers(folder)
      expect(await ended).not.toEqual([0, null])
    },
  )

  test('an error in an output reader is thrown after the command is killed', async () => {
    const mark = `mark-${randomUUID()}`
    const fail = () => Promise.reject(new Error('the disk is full'))
    await expect(runShell(`${daemon(mark)} echo up; sleep 300`, { onStdout: fail })).rejects.toThrow('the disk is full')
    expect(processesWith(mark)).toEqual([])
  })

  test('long binary output is cut to its last 64 KiB', async () => {
    const end = await runShell(
      'head -c 3000000 /dev/urandom; for i in $(seq 40000); do echo -n "é"; done; printf "a\\0b"',
    )
    expect(Buffer.byteLength(end.stdout)).toBe(64 * 1024 + 1)
    expect(end.stdout.slice(0, 2)).toBe('éé')
    expect(end.stdout.endsWith('a\uFFFDb')).toBe(true)
  })

  test.skipIf(sandbox.status.kind !== 'bubblewrap')('a command has only loopback', async () => {
    const interfaces = 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " \\n"'
    expect((await runShell(interfaces)).stdout).toBe('lo')
  })

  test('files that a command writes stay in the workspace', async () => {
    await runShell('echo kept > kept.txt; echo home > ~/home.txt')
    expect(await readFile(join(folders.workspace, 'kept.txt'), 'utf8')).toBe('kept\n')
    expect(await readFile(join(folders.home, 'home.txt'), 'utf8')).toBe('home\n')
  })
})

test('a broken sandbox says why and runs nothing', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = folder
  try {
    const broken = await detectSandbox({ platform: 'linux', wanted: undefined })
    expect(broken.status).toEqual({ kind: 'unavailable', available: false, reason: 'bubblewrap is not installed' })
    expect((await runShell('echo ran', {}, broken)).stdout).toBe('')
  } finally {
    process.env['PATH'] = path
  }
})

test('SANDBOX=none runs a command in a process group that is killed as a whole', async () => {
  const none = await detectSandbox({ wanted: 'none' })
  const mark = `mark-${randomUUID()}`
  const end = await runShell(`bash -c 'exec -a ${mark} sleep 300' & echo up; sleep 300`, { timeoutMs: 500 }, none)
  expect(end).toMatchObject({ timedOut: true, stdout: 'up\n' })
  expect(processesWith(mark)).toEqual([])
})
