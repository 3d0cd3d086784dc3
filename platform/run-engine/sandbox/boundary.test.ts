import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeRunFolders } from '#platform/run-engine/materialize.ts'
import { removeFolder } from '#platform/run-engine/remove-folder.ts'
import { runShell as runShellIn } from '#platform/testing/run-shell.ts'
import { detectSandbox } from './detect-sandbox.ts'
import type { RunFolders, SandboxCommand } from './sandbox.ts'

const sandbox = await detectSandbox()

let folder: string
let folders: RunFolders
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-boundary-'))
  folders = await makeRunFolders(join(folder, '1'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const runShell = (script: string, options: Partial<SandboxCommand> = {}) =>
  runShellIn(sandbox, folders, script, options)

describe.skipIf(sandbox.status.kind !== 'bubblewrap')(`in bubblewrap (${sandbox.status.reason ?? 'works'})`, () => {
  test('no capability is left inside, so that what is read-only cannot be mounted writable', async () => {
    const remount = 'mount -o remount,rw,bind /usr && touch /usr/assay-probe && echo wrote'
    const end = await runShell(`grep CapEff /proc/self/status; (${remount}); unshare -Urm sh -c '${remount}'`)
    expect(end.stdout.trim()).toBe('CapEff:\t0000000000000000')
    expect(end.exitCode).not.toBe(0)
  })

  test('inside is a plain user with a name, no namespaces of its own and no devices to make', async () => {
    const end = await runShell(
      'id -un; id -u; node -p "os.userInfo().username"; unshare -U true || echo no; mknod d b 7 0 || echo no',
    )
    expect(end.stdout).toBe('agent\n1000\nagent\nno\nno\n')
    const made = await runShell('mkdir -p deep/er; echo kept > deep/er/file; chmod 000 deep/er; stat -c %U deep')
    expect(made.stdout).toBe('agent\n')
    await removeFolder(join(folder, '1'))
    expect(existsSync(join(folder, '1'))).toBe(false)
  })

  test('nothing of the host shows but its toolchain', async () => {
    const secret = join(folder, 'secret.txt')
    await writeFile(secret, 'secret')
    const end = await runShell(
      `cat ${secret}; ls / /home /etc | tr '\\n' ' '; env; touch /usr/x; cat /proc/1/environ`,
      {
        env: { LD_PRELOAD: '/workspace/evil.so', GIVEN: 'yes' },
      },
    )
    expect(end.stdout).not.toMatch(/secret|root:|shadow/)
    expect(end.stdout).toContain('GIVEN=yes')
    expect(end.stdout).not.toContain('VITEST')
    expect(end.stderr).toMatch(/touch: .*Read-only file system/)
  })
})

test('a sandbox that leaves a capability inside is none', async () => {
  const path = process.env['PATH']
  const fake = `#!/bin/sh\necho '{"exit-code": 0}' >&3\nprintf 'CapPrm:\\t0\\nCapEff:\\t0000000000200000\\n'\n`
  await writeFile(join(folder, 'bwrap'), fake, { mode: 0o755 })
  process.env['PATH'] = folder
  try {
    const broken = await detectSandbox({ platform: 'linux', wanted: undefined })
    const reason = 'bubblewrap does not work here: it leaves capabilities inside'
    expect(broken.status).toEqual({ kind: 'unavailable', available: false, reason })
  } finally {
    process.env['PATH'] = path
  }
})
