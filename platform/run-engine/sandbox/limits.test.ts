import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makeRunFolders } from '#platform/run-engine/materialize.ts'
import { keepTail } from '#platform/run-engine/output-tail.ts'
import { detectSandbox } from './detect-sandbox.ts'
import type { ProcessLimits } from './limits.ts'
import type { RunFolders } from './sandbox.ts'

const { status } = await detectSandbox()

let folder: string
let folders: RunFolders
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-limits-'))
  folders = await makeRunFolders(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function runBelow(limits: ProcessLimits, argv: readonly string[], timeoutMs = 20_000) {
  const sandbox = await detectSandbox({ limits })
  const stdout = keepTail()
  const end = await sandbox.spawn({ argv, folders, env: {}, network: false, timeoutMs, onStdout: stdout.push })
  return { ...end, stdout: stdout.text() }
}

const shell = (script: string) => ['bash', '-c', script]

describe.skipIf(status.kind !== 'bubblewrap')(`in the sandbox (${status.reason ?? status.kind})`, () => {
  test('a process that allocates more than it may fails, and the rest goes on', async () => {
    const grow = 'const all = []; for (let i = 0; i < 16; i += 1) all.push(Buffer.alloc(64 * 1024 * 1024, 1))'
    const script = shell(`node -e "${grow}" && echo had it; echo goes on`)
    expect(await runBelow({ memoryMb: 256, processes: 0 }, script)).toMatchObject({ exitCode: 0, stdout: 'goes on\n' })
    expect(await runBelow({ memoryMb: 0, processes: 0 }, script)).toMatchObject({ stdout: 'had it\ngoes on\n' })
  })

  test.skipIf(process.getuid?.() === 0)('a run cannot have more processes than it may (not as root)', async () => {
    const end = await runBelow(
      { memoryMb: 0, processes: 20 },
      shell('for i in {1..60}; do sleep 5 & done; echo all'),
      3000,
    )
    expect(end).toMatchObject({ timedOut: true, stdout: '' })
  })

  test('a program that is not there could still not start, and an exit code is the command’s own', async () => {
    const limits = { memoryMb: 1024, processes: 1000 }
    const missing = await runBelow(limits, ['no-such-program'])
    expect(missing).toMatchObject({ exitCode: null, couldNotStart: expect.stringContaining('no-such-program') })
    const forged = shell('echo "prlimit: failed to execute x" >&2; echo more >&2; exit 127')
    for (const argv of [shell('exit 127'), forged]) {
      expect(await runBelow(limits, argv)).toMatchObject({ exitCode: 127, couldNotStart: null })
    }
  })
})
