import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { processStarter } from './process-starter.ts'
import type { Start } from './starter-messages.ts'

const env = { PATH: process.env['PATH'] }

const start = async (argv: readonly string[], more: Partial<Start> = {}) => {
  const [command = '', ...args] = argv
  return (await processStarter()).start({ command, args, env, ...more })
}

/** Starts a command, gives it `input`, and returns what it printed and its exit code. */
async function run(argv: readonly string[], { input = '', ...more }: Partial<Start> & { input?: string } = {}) {
  const started = await start(argv, more)
  started.stdin.end(input)
  const [stdout, stderr, status, exitCode] = await Promise.all([
    text(started.stdout),
    text(started.stderr),
    more.statusFd === undefined ? '' : text(started.status),
    started.exit,
  ])
  return { stdout, stderr, status, exitCode }
}

const shell = (script: string) => ['sh', '-c', script]

const isAlive = (pid: number) => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false
  }
}

test('a process has its input, outputs, status, files, folder and variables, and an exit code', async () => {
  const end = await run(shell('cat; echo error >&2; echo state >&3; cat <&4; cat <&5 | wc -c; pwd; echo $A; exit 7'), {
    input: 'input\n',
    env: { ...env, A: 'variable' },
    cwd: '/',
    statusFd: 3,
    descriptors: new Map([
      [4, { reads: 'content\n' }],
      [5, { opens: '/proc/self/status' }],
    ]),
  })
  expect(end).toMatchObject({ stderr: 'error\n', status: 'state\n', exitCode: 7 })
  expect(end.stdout).toMatch(/^input\ncontent\n[1-9]\d+\n\/\nvariable\n$/)
})

test('a process leaves a busy processor to the service', async () => {
  expect(Number((await run(['nice'])).stdout)).toBe(Math.max(getPriority(), 3))
})

test('a process inherits nothing else that is open', async () => {
  const { stdout } = await run(['ls', '-l', '/proc/self/fd'])
  const open = stdout.split('\n').flatMap((line) => / (\d+ -> [^:]+)/.exec(line)?.[1] ?? [])
  // What this process inherited itself is /dev/null there, and the last is the folder that it lists.
  const others = open.filter((line) => !/-> (\/dev\/null|\/proc\/\d+\/fd)$/.test(line))
  expect(others).toEqual(['0 -> socket', '1 -> socket', '2 -> socket'])
})

test('much input and output arrive whole', async () => {
  const input = Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join('')
  expect((await run(['cat'], { input })).stdout).toBe(input)
})

test('a signal that ends a process is an exit code', async () => {
  expect((await run(shell('kill -9 $$'))).exitCode).toBe(137)
  expect((await run(shell('kill -15 $$'))).exitCode).toBe(143)
})

test('processes that start at once have connections of their own', async () => {
  const ends = await Promise.all(
    Array.from({ length: 40 }, (_, index) => run(shell(`cat; exit ${index}`), { input: `${index}` })),
  )
  expect(ends.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual(ends.map((_, index) => [`${index}`, index]))
})

test.each([
  { what: 'a missing program', argv: ['no-such-program'], code: 'ENOENT' },
  { what: 'a command line that is too long', argv: ['true', 'x'.repeat(3_000_000)], code: 'E2BIG' },
  { what: 'an argument with NUL', argv: ['true', 'a\0b'], code: 'ERR_INVALID_ARG_VALUE' },
])('$what is refused with its code, and the next process starts', async ({ argv, code }) => {
  await expect(start(argv)).rejects.toMatchObject({ code })
  expect((await run(['true'])).exitCode).toBe(0)
})

test('a missing file for a descriptor is refused', async () => {
  const descriptors = new Map([[4, { opens: '/no/such/file' }]])
  await expect(start(['true'], { descriptors })).rejects.toMatchObject({ code: 'ENOENT' })
})

test('when the starter is killed, its processes count as killed, and the next start has a new one', async () => {
  const before = await processStarter()
  const started = await start(['cat'])
  process.kill(before.pid, 'SIGKILL')
  expect(await started.exit).toBe(137)
  expect(started.hasExited()).toBe(true)
  expect((await run(['true'])).exitCode).toBe(0)
  expect((await processStarter()).pid).not.toBe(before.pid)
})

/** Runs a program with a starter of its own, whose folder is in the returned place, beside what is put there before. */
async function startService(program: string, prepare: (folder: string) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-starters-'))
  prepare(folder)
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    service.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return { service, left: () => readdirSync(folder) }
}

const begin = `
  import { processStarter } from './process-starter.ts'
  const starter = await processStarter()`

test('when the service is killed, its starter ends, its folder goes, and what it started sees the end of its input', async () => {
  const { service, left } = await startService(`${begin}
    const started = await starter.start({ command: 'cat', args: [], env: { PATH: process.env.PATH } })
    console.log(JSON.stringify([starter.pid, started.pid]))`)
  const pids: number[] = JSON.parse(String(await new Promise((done) => service.stdout.once('data', done))))
  expect([pids.map(isAlive), left()]).toEqual([[true, true], [expect.stringContaining('assay-starter-')]])
  service.kill('SIGKILL')
  await expect.poll(() => [pids.map(isAlive), left()]).toEqual([[false, false], []])
})

test('when the service is killed while sockets are on their way to it, its starter and what sends them end', async () => {
  // It sends until it ends.
  const sender = `
    const { createServer } = require('node:net')
    const sendOne = () => {
      const server = createServer().listen(0, '127.0.0.1', () => process.send({}, server, () => server.close(sendOne)))
    }
    for (let index = 0; index < 10; index += 1) sendOne()
    process.on('disconnect', () => process.exit())
    setInterval(() => process.connected || process.exit(), 100)`
  const { service, left } = await startService(`${begin}
    const { closeHandle } = await import('./close-handle.ts')
    const fifth = Promise.withResolvers()
    let count = 0
    const take = (message, handle) => {
      closeHandle(handle)
      count += 1
      if (count === 5) fifth.resolve()
    }
    const request = { command: process.execPath, args: ['-e', ${JSON.stringify(sender)}], env: {}, sendsMessages: true }
    const { pid } = await starter.start(request, take)
    await fifth.promise
    console.log(JSON.stringify([starter.pid, pid]))`)
  const pids: number[] = JSON.parse(String(await new Promise((done) => service.stdout.once('data', done))))
  onTestFinished(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  service.kill('SIGKILL')
  await expect.poll(() => [pids.map(isAlive), left()], { timeout: 20_000 }).toEqual([[false, false], []])
})

test('a service that starts removes the old folders of killed services, and no others', async () => {
  const hourAgo = new Date(Date.now() - 60 * 60_000)
  const listening = createServer().unref()
  onTestFinished(() => void listening.close())
  const { service, left } = await startService(`${begin}; console.log(starter.pid)`, (folder) => {
    const names = ['without-socket', 'with-socket', 'listening', 'new'].map((name) => `assay-starter-${name}`)
    for (const name of [...names, 'other']) mkdirSync(join(folder, name))
    // Like after a kill, nobody listens there.
    writeFileSync(join(folder, 'assay-starter-with-socket', 'socket'), '')
    listening.listen(join(folder, 'assay-starter-listening', 'socket'))
    for (const name of [...names.slice(0, 3), 'other']) utimesSync(join(folder, name), hourAgo, hourAgo)
  })
  await new Promise((done) => service.stdout.once('data', done))
  const others = left().filter((name) => !/^assay-starter-\w{6}$/.test(name))
  expect(others.toSorted()).toEqual(['assay-starter-listening', 'assay-starter-new', 'other'])
})

test('a program whose processes have ended ends by itself', async () => {
  const { service, left } = await startService(`${begin}
    const started = await starter.start({ command: 'true', args: [], env: { PATH: process.env.PATH } })
    await started.exit
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy()`)
  expect(await new Promise((done) => service.once('exit', done))).toBe(0)
  await expect.poll(left).toEqual([])
})
