import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { runShell } from '#platform/program/testing/run-shell.ts'
import { detectSandbox } from './detect-sandbox.ts'
import type { RunFolders, SandboxCommand, World } from './sandbox.ts'

const sandbox = await detectSandbox({ limits: { memoryMb: 4096, processes: 300, diskMb: 200 } })

let folder: string
let folders: RunFolders
let world: World | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-world-'))
  folders = await makeRunFolders(join(folder, '1'))
  world = await sandbox.openWorld?.({ folders })
})
afterEach(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (script: string, options: Partial<SandboxCommand> = {}) =>
  runShell({ ...sandbox, spawn: world?.spawn ?? sandbox.spawn }, folders, script, options)

const newMark = () => `mark-${randomUUID()}`

/** The processes of this machine whose command line contains the mark. */
const processesWith = (mark: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`${mark} 3`))

/** A process that leaves its session and its parents, and ignores every signal that can be ignored. */
const stubborn = (mark: string) =>
  `(setsid bash -c '(trap "" HUP INT TERM QUIT; exec -a ${mark} sleep 300) &' </dev/null >/dev/null 2>&1 &)`

describe.skipIf(!sandbox.openWorld)(`a world (${sandbox.status.reason ?? sandbox.status.kind})`, () => {
  test('a process that a command leaves in the background is there for the next command', async () => {
    const mark = newMark()
    await run(`${stubborn(mark)}; echo one > /tmp/file; echo two > /dev/shm/file; sleep 0.2`)
    const next = await run(`cat /tmp/file /dev/shm/file; pgrep -f ${mark} | wc -l`)
    expect(next.stdout).toMatch(/^one\ntwo\n[1-9]\n$/)
  })

  test('a background process that keeps the output open does not hold up its command, and can print on', async () => {
    const end = await run('(for i in $(seq 600); do echo noise; sleep 0.1; done; echo) & echo mine; exit 3')
    expect(end).toMatchObject({ exitCode: 3, timedOut: false })
    expect(end.stdout).toContain('mine\n')
    expect((await run('pgrep -fc "seq 600"')).stdout).not.toBe('0\n')
  })

  test('everything that a command printed is read, whatever it left in the background', async () => {
    const end = await run('sleep 300 & head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last')
    expect(end.stdout.endsWith('x\nlast\n')).toBe(true)
    expect(end.stdout.length).toBe(64 * 1024)
  })

  test('a timeout kills what its command started, and nothing that an earlier command left', async () => {
    const [earlier, own] = [newMark(), newMark()]
    await run(stubborn(earlier))
    const end = await run(`bash -c 'trap "" TERM; exec -a ${own} sleep 300' & sleep 300`, { timeoutMs: 1500 })
    expect(end).toMatchObject({ exitCode: null, timedOut: true })
    expect(processesWith(own)).toEqual([])
    expect(processesWith(earlier)).toHaveLength(1)
  })

  test('all processes can be ended between two commands', async () => {
    const mark = newMark()
    await run(`${stubborn(mark)}; sleep 0.2`)
    expect(processesWith(mark)).toHaveLength(1)
    await world?.endProcesses()
    expect(processesWith(mark)).toEqual([])
    expect((await run('echo goes on')).stdout).toBe('goes on\n')
  })

  test.each(['its end', 'a stop', 'too many processes'])('no process is left after %s', async (how) => {
    const mark = newMark()
    await run(`${stubborn(mark)}; sleep 0.2`)
    if (how === 'its end') await world?.close()
    else if (how === 'a stop') {
      const end = await run(`${stubborn(mark)}; sleep 300`, { signal: AbortSignal.timeout(1500) })
      expect(end.stopped).toBe(true)
    } else {
      const end = await run('for i in $(seq 1000); do sleep 30 & done 2>/dev/null; sleep 60', { timeoutMs: 60_000 })
      expect(end.exitCode).not.toBe(0)
      await world?.close()
    }
    expect(processesWith(mark)).toEqual([])
    expect((await run('echo runs')).stdout).toBe('')
  })

  test('commands that start at once, on a busy machine, all end with their own exit codes', async () => {
    const over = join(folders.workspace, 'over')
    const busy = Array.from({ length: 4 }, () => run('until [ -e over ]; do :; done; exit 8'))
    const codes = await Promise.all(Array.from({ length: 40 }, async () => (await run('exit 7')).exitCode))
    await writeFile(over, '')
    expect(new Set(codes)).toEqual(new Set([7]))
    expect((await Promise.all(busy)).map(({ exitCode }) => exitCode)).toEqual([8, 8, 8, 8])
  })

  test('a world whose folders cannot be mounted says which', async () => {
    const missing = { ...folders, workspace: join(folder, 'missing') }
    await expect(sandbox.openWorld?.({ folders: missing })).rejects.toThrow(/^mount: .*missing/)
  })

  test('when the service is killed, no process of its worlds is left', async () => {
    const mark = newMark()
    const program = `
      import { detectSandbox } from './detect-sandbox.ts'
      const sandbox = await detectSandbox()
      const world = await sandbox.openWorld({ folders: ${JSON.stringify(folders)} })
      const argv = ['bash', '-c', ${JSON.stringify(`${stubborn(mark)}; sleep 0.2`)}]
      await world.spawn({ argv, folders: ${JSON.stringify(folders)}, env: {}, forwards: [] })
      console.log('up')`
    const service = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname })
    await new Promise((done) => service.stdout.once('data', done))
    expect(processesWith(mark)).toHaveLength(1)
    service.kill('SIGKILL')
    await expect.poll(() => processesWith(mark)).toEqual([])
  })

  test('a server that a command started is reached by the next one, at the same network', async () => {
    const server = `require('http').createServer((q, a) => a.end('served')).listen(8123, '127.0.0.1', () => console.log('up'))`
    await writeFile(join(folders.workspace, 'server.js'), server)
    await run('node server.js & sleep 1')
    const get = `node -e "fetch('http://127.0.0.1:8123').then((a) => a.text()).then(console.log)"`
    expect((await run(get)).stdout).toBe('served\n')
  })

  test('a port of the service stays its own between two commands', async () => {
    const says = (word: string) => ({ port: 8600, onConnection: (connection: Socket) => void connection.end(word) })
    expect((await run('cat < /dev/tcp/127.0.0.1/8600', { forwards: [says('first')] })).stdout).toBe('first')
    const taken = `require('net').createServer().on('error', (e) => console.log(e.code)).listen(8600, '127.0.0.1')`
    expect((await run(`node -e "${taken}"`)).stdout).toBe('EADDRINUSE\n')
    expect((await run('cat < /dev/tcp/127.0.0.1/8600', { forwards: [says('second')] })).stdout).toBe('second')
  })

  test('no command can stop or look into the first process of its world', async () => {
    const end = await run('kill -9 1; kill -STOP 1; kill -9 -1; sleep 0.2; echo alive; cat /proc/1/environ')
    expect(end.stdout).not.toContain('PATH')
    expect((await run('echo next; cat /proc/1/environ; ls /proc/1/fd')).stdout).toBe('next\n')
  })

  test('a session of tmux lives on', async () => {
    if (execFileSync('sh', ['-c', 'command -v tmux || true'], { encoding: 'utf8' }) === '') return
    await run('tmux new-session -d -s work "echo in tmux; sleep 300"; sleep 0.5')
    const seen = await run(
      'for i in 1 2 3 4 5 6 7 8 9; do tmux capture-pane -p -t work | grep . && exit; sleep 0.5; done',
    )
    expect(seen.stdout).toContain('in tmux')
  })
})
