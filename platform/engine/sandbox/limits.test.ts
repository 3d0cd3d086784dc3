import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { createTail } from './output-tail.ts'
import { spawnInBubblewrap } from './bubblewrap.ts'
import { detectSandbox } from './detect-sandbox.ts'
import type { ProcessLimits } from './limits.ts'
import type { RunFolders, Sandbox } from './sandbox.ts'

const { status } = await detectSandbox()

let folder: string
let folders: RunFolders
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-limits-'))
  folders = await makeRunFolders(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function runBelow(limits: ProcessLimits, argv: readonly string[], timeoutMs = 60_000) {
  return runIn(await detectSandbox({ limits }), argv, timeoutMs)
}

async function runIn(sandbox: Pick<Sandbox, 'spawn'>, argv: readonly string[], timeoutMs = 60_000) {
  const stdout = createTail()
  const end = await sandbox.spawn({
    argv,
    folders,
    env: {},
    forwards: [],
    timeoutMs,
    onStdout: stdout.push,
  })
  return { ...end, stdout: stdout.text() }
}

const shell = (script: string) => ['bash', '-c', script]

describe.skipIf(status.kind !== 'bubblewrap')(`in the sandbox (${status.reason ?? status.kind})`, () => {
  test('a process that exceeds its memory limit fails, and the others continue', async () => {
    const grow = 'const all = []; for (let i = 0; i < 16; i += 1) all.push(Buffer.alloc(64 * 1024 * 1024, 1))'
    const script = shell(`node -e "${grow}" && echo had it; echo continues`)
    expect(await runBelow({ memoryMb: 256, processes: 0, diskMb: 0 }, script)).toMatchObject({
      exitCode: 0,
      stdout: 'continues\n',
    })
    expect(await runBelow({ memoryMb: 0, processes: 0, diskMb: 0 }, script)).toMatchObject({
      stdout: 'had it\ncontinues\n',
    })
  })

  test.skipIf(!existsSync('/usr/bin/python3'))(
    'a process that shares more memory than its limit ends the run',
    async () => {
      const share =
        'import mmap, time; m = mmap.mmap(-1, 700 << 20); [m.write(b"x" * (1 << 20)) for _ in range(700)]; time.sleep(60)'
      const end = await runBelow({ memoryMb: 512, processes: 0, diskMb: 0 }, ['python3', '-c', share])
      expect(end).toMatchObject({ exitCode: null, exceeded: 'One of its processes used more than 512 MiB of memory' })
    },
  )

  test('without memory, the kernel ends a run before the service, and the run cannot change that', async () => {
    const script = shell(
      'cat /proc/self/oom_score_adj; echo 0 2>/dev/null > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj',
    )
    const { stdout } = await runBelow({ memoryMb: 0, processes: 0, diskMb: 0 }, script)
    expect(stdout).toMatch(process.getuid?.() === 0 ? /^900\n900\n$/ : /^900\n/)
  })

  test('a run that makes very many files ends with the reason, although they are empty', async () => {
    const limits = { memoryMb: 0, processes: 0, diskMb: 40 }
    const end = await runBelow(limits, shell("mkdir many; seq -f 'many/%g' 4000 | xargs touch; sleep 60"))
    expect(end).toMatchObject({ exitCode: null, exceeded: 'It made more than 2,560 files' })
    // The tests of this file share the workspace.
    expect(await runBelow({ ...limits, diskMb: 0 }, shell('rm -r many'))).toMatchObject({ exitCode: 0 })
  })

  test('a run cannot exceed its process limit', async () => {
    const end = await runBelow(
      { memoryMb: 0, processes: 20, diskMb: 0 },
      shell('for i in {1..60}; do sleep 5 & done; echo all'),
      3000,
    )
    expect(end).toMatchObject({ timedOut: true, stdout: '' })
  })

  test('files that a run creates have the usual permissions, whatever the service’s umask', async () => {
    const ours = process.umask(0o077)
    try {
      const made = await runBelow({ memoryMb: 1024, processes: 0, diskMb: 0 }, shell('touch made; stat -c %a made'))
      expect(made).toMatchObject({ exitCode: 0, stdout: '644\n' })
    } finally {
      process.umask(ours)
    }
  })

  test('a missing program is reported as not started, and an exit code is the command’s own', async () => {
    const limits = { memoryMb: 1024, processes: 1000, diskMb: 0 }
    const missing = await runBelow(limits, ['no-such-program'])
    expect(missing).toMatchObject({ exitCode: null, couldNotStart: expect.stringContaining('no-such-program') })
    const forged = shell('echo "prlimit: failed to execute x" >&2; echo more >&2; exit 127')
    for (const argv of [shell('exit 127'), forged]) {
      expect(await runBelow(limits, argv)).toMatchObject({ exitCode: 127, couldNotStart: null })
    }
  })

  test('a fork bomb is killed within seconds, and none of its processes is left', async () => {
    // No test beside this one sleeps for so long.
    const bomb = shell('for i in $(seq 5000); do sleep 30.17 & done 2>/dev/null; sleep 30.17')
    // The kernel applies this limit to every user except root: as root, this tests a machine where root cannot be
    // dropped.
    const limits = { memoryMb: 0, processes: 400, diskMb: 0 }
    const end = await runIn({ spawn: spawnInBubblewrap({ limits }) }, bomb)
    if (process.getuid?.() === 0)
      expect(end).toMatchObject({ exitCode: null, exceeded: 'It had more than 400 processes and threads' })
    else expect(end.durationMs).toBeLessThan(20_500)
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toMatch(/^sleep 30\.17$/m)
  })

  test('writes are limited: for one file, for all files, and for every folder in memory', async () => {
    const limits = { memoryMb: 0, processes: 0, diskMb: 40 }
    const file = await runBelow(limits, shell('fallocate -l 10G large; echo $?; stat -c %s large'))
    expect(file.stdout).not.toContain('10737418240')
    expect(file.exceeded).toBeNull()
    const files = await runBelow(limits, shell('for i in 1 2 3; do fallocate -l 30M part$i; done; echo all; sleep 30'))
    expect(files).toMatchObject({ exitCode: null, exceeded: 'It wrote more than 40 MiB', stdout: 'all\n' })
    const places = 'df --output=size -BM /tmp /dev/shm | tail -n +2; touch /x /home/x /dev/x || echo closed'
    const memory = await runBelow(limits, shell(`${places}; echo x > /dev/shm/x && echo > /dev/null && echo open`))
    expect(memory.stdout).toMatch(/^\s*1024M\s+1024M\s+closed\s+open\s*$/)
  })
})
