import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findConfinementFault, confinementProbe } from '#platform/ground/confinement/prove-confinement.ts'
import { type Architecture, examined, forbidden, missing } from '#platform/ground/confinement/refused-system-calls.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { runShell as runShellIn } from '#platform/program/testing/run-shell.ts'
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

const closed = ['CapEff: 0', 'tried: 900', 'Seccomp: 2']

const runShell = (script: string, options: Partial<SandboxCommand> = {}) =>
  runShellIn(sandbox, folders, script, options)

/**
 * Starts bubblewrap with minimal arguments. If that works and our sandbox fails its own check, the fault is ours, not
 * the machine's.
 */
const starts = spawnSync('bwrap', ['--unshare-user', '--unshare-net', '--ro-bind', '/', '/', 'true']).status === 0

test.skipIf(!starts)('on a machine where bubblewrap starts, the sandbox passes its own check', () => {
  expect(sandbox.status).toEqual({ kind: 'bubblewrap', available: true })
})

describe.skipIf(sandbox.status.kind !== 'bubblewrap')(`in bubblewrap (${sandbox.status.reason ?? 'works'})`, () => {
  test('the sandbox has no capabilities, so read-only mounts cannot be remounted writable', async () => {
    const remount = 'mount -o remount,rw,bind /usr && touch /usr/assay-probe && echo wrote'
    const end = await runShell(`grep CapEff /proc/self/status; (${remount}); unshare -Urm sh -c '${remount}'`)
    expect(end.stdout.trim()).toBe('CapEff:\t0000000000000000')
    expect(end.exitCode).not.toBe(0)
  })

  test('the sandbox runs as a named plain user who cannot create namespaces or devices', async () => {
    const end = await runShell(
      'id -un; id -u; node -p "os.userInfo().username"; unshare -U true || echo no; mknod d b 7 0 || echo no',
    )
    expect(end.stdout).toBe('agent\n1000\nagent\nno\nno\n')
    const made = await runShell('mkdir -p deep/er; echo kept > deep/er/file; chmod 000 deep/er; stat -c %U deep')
    expect(made.stdout).toBe('agent\n')
    await removeFolder(join(folder, '1'))
    expect(existsSync(join(folder, '1'))).toBe(false)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'a command started by root is not root outside the sandbox and owns its folders',
    async () => {
      await writeFile(join(folders.workspace, 'given.txt'), 'given', { mode: 0o600 })
      const script = 'echo more >> given.txt && stat -c %U:%a given.txt . ~; sleep 300'
      const controller = new AbortController()
      const said = Promise.withResolvers<string>()
      const ending = runShell(script, {
        signal: controller.signal,
        onStdout: (chunk) => void (String(chunk).endsWith('5\n') && said.resolve(String(chunk))),
      })
      expect(await said.promise).toBe('agent:600\nagent:755\nagent:755\n')
      const { uid } = await stat(folders.workspace)
      const users = execFileSync('ps', ['-eo', 'uid,args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes('echo more >>'))
        .map((line) => Number.parseInt(line, 10))
      controller.abort()
      await ending
      expect(new Set(users)).toEqual(new Set([uid]))
      expect(uid).toBeGreaterThan(60_000)
    },
  )

  test('the sandbox shows nothing of the host except its toolchain', async () => {
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

  test.each([
    ['no network', {}],
    ['a forward', { forwards: [{ port: 8600, onConnection: (connection: Socket) => connection.end() }] }],
  ])('no file below /proc and /sys can be opened for writing with %s', async (_, network) => {
    const end = await runShell(confinementProbe, network)
    expect(end.stdout).not.toContain('writable:')
    expect(Number(/tried: (\d+)/.exec(end.stdout)?.[1])).toBeGreaterThan(200)
    expect(findConfinementFault(end.stdout)).toBeNull()
  })

  test("a run cannot change the kernel's setting for core dumps", async () => {
    const setting = '/proc/sys/kernel/core_pattern'
    // Writes back its own value, so that the test changes nothing if the sandbox fails.
    const end = await runShell(`cat ${setting} > pattern; cat pattern > ${setting}`)
    expect(end.exitCode).not.toBe(0)
    expect(end.stderr).toContain(`${setting}: Read-only file system`)
  })

  test('files in /proc that describe the machine cannot be read', async () => {
    const end = await runShell(
      'cd /proc; cat kcore keys timer_list kpageflags slabinfo interrupts; ls acpi irq bus scsi',
    )
    expect(end.stdout.replaceAll(/^(?:\w+:|\s*)$/gm, '').trim()).toBe('')
  })

  test('a command inherits its three streams and no other file descriptor', async () => {
    const end = await runShell('ls -l /proc/$$/fd; true')
    const open = end.stdout.split('\n').filter((line) => line.includes('->') && !line.endsWith('-> /dev/null'))
    expect(open.map((line) => /(\d+) -> /.exec(line)?.[1])).toEqual(['0', '1', '2'])
  })

  test.skipIf(!existsSync('/usr/bin/perl'))(
    'system calls that could escape the sandbox fail, even for the sandbox’s own user',
    async () => {
      const number = (name: string) => ({ ...forbidden, ...missing, ...examined })[name]?.[process.arch as Architecture]
      const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
      // Without the filter, each call would succeed or fail differently.
      const calls = [
        ['keyctl', ENOSYS, 0, -3, 0],
        ['add_key', ENOSYS, 0, 0, 0],
        ['request_key', ENOSYS, 0, 0, 0],
        ['bpf', ENOSYS, 99, 0, 0],
        ['userfaultfd', ENOSYS, 1],
        ['io_uring_setup', ENOSYS, 1, 0],
        ['io_uring_enter', ENOSYS, -1, 0, 0, 0],
        ['process_vm_readv', ENOSYS, -1, 0, 0, 0, 0, 0],
        ['clone3', ENOSYS, 0, 0],
        ['perf_event_open', EPERM, 0, -1, -1, -1, 0],
        ['unshare', EPERM, 0],
        ['setns', EPERM, -1, 0],
        ['clone', EPERM, 0x10000000, 0, 0, 0, 0],
        ['ptrace', EPERM, 16, 99999, 0, 0],
        ['ptrace', EPERM, 0x4206, 99999, 0, 0],
        ['mount_setattr', EPERM, -1, 0, 0, 0, 0],
        ['open_by_handle_at', EPERM, -1, 0, 0],
        ['pidfd_getfd', EPERM, -1, 0, 0],
        ['ioctl', EPERM, 0, 0x5412, 0],
        ['socket', EAFNOSUPPORT, 40, 1, 0],
        ['socket', EAFNOSUPPORT, 38, 5, 0],
      ] as const
      const script = calls
        .map(
          ([name, , ...rest]) =>
            `$! = 0; syscall(${[number(name), ...rest].join(', ')}); print "${name} ", $! + 0, "\\n";`,
        )
        .join('\n')
      const end = await runShell('', { argv: ['perl', '-e', script.replaceAll('\\\\n', '\\n')] })
      expect(end.stdout).toBe(calls.map(([name, errno]) => `${name} ${errno}\n`).join(''))
    },
  )

  test.skipIf(!existsSync('/usr/bin/strace') || !existsSync('/usr/bin/gdb'))(
    'a debugger works on programs it starts and on no others',
    async () => {
      const traced = await runShell('strace -f -o trace.txt sh -c "echo hi" && grep -c execve trace.txt')
      expect(traced.stdout).toBe('hi\n1\n')
      const debugged = await runShell('gdb -batch -ex run --args /bin/echo from gdb 2>&1')
      expect(debugged.stdout).toContain('from gdb\n')
      const attached = await runShell('sleep 30 & strace -p $! 2>&1 | head -1; kill $!')
      expect(attached.stdout).toContain('Operation not permitted')
    },
  )
})

test.each([
  ['does not drop capabilities', ['CapEff: 0000000000200000', 'tried: 900', 'Seccomp: 2']],
  ['leaves /proc/sys/kernel/core_pattern writable', [...closed, 'writable: /proc/sys/kernel/core_pattern']],
  ['does not filter system calls', ['CapEff: 0', 'tried: 900', 'Seccomp: 0']],
])('a sandbox that %s is reported as unavailable with that reason', async (complaint, printed) => {
  const path = process.env['PATH']
  const fake = [
    '#!/bin/sh',
    'case "$*" in */keeper) echo "{\\"child-pid\\": $$ }" >&3; exec cat ;; esac',
    `echo '{"exit-code": 0}' >&3`,
    `echo '${printed.join('\n')}'`,
  ].join('\n')
  await writeFile(join(folder, 'bwrap'), fake, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${path}`
  try {
    const broken = await detectSandbox({ platform: 'linux', wanted: undefined })
    const reason = `bubblewrap does not work here: it ${complaint}`
    expect(broken.status).toEqual({ kind: 'unavailable', available: false, reason })
  } finally {
    process.env['PATH'] = path
  }
})
