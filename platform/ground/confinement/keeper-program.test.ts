import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { keeperProgram } from './keeper-program.ts'

const isPossible = process.getuid?.() === 0 && process.platform === 'linux' && keeperProgram(1) !== null

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-keeper-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeKeeper(seconds: number) {
  const path = join(folder, `keeper-${seconds}`)
  await writeFile(path, keeperProgram(seconds) ?? '')
  await chmod(path, 0o555)
  return path
}

/** Every test has a process namespace of its own, so that a wrong keeper can kill nothing else. */
function start(argv: readonly string[]) {
  const child = spawn('unshare', ['--pid', '--fork', '--mount-proc', '--kill-child', '--', ...argv])
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  // The keeper may end before it has read everything.
  child.stdin.on('error', () => {})
  return { child, said: () => said, ended: once(child, 'close') }
}

describe.skipIf(!isPossible)('the first process of a container', () => {
  test('ends when its input ends', async () => {
    const { child, ended } = start([await writeKeeper(600)])
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  })

  test('ends at its deadline, even after it was asked to kill', async () => {
    const { child, said, ended } = start([await writeKeeper(1)])
    child.stdin.write('kk')
    expect(await ended).toEqual([0, null])
    expect(said()).toBe('kk')
  })

  test('kills every other process for each byte, and then answers', async () => {
    // The shell becomes the keeper, so that its children are the keeper's.
    const children = 'sleep 600 & (while :; do sleep 600 & sleep 0.01; done) & setsid sleep 600 &'
    const { child, said, ended } = start(['sh', '-c', `${children} exec ${await writeKeeper(600)}`])
    child.stdin.write('k')
    while (said() === '') await once(child.stdout, 'data')
    const first = child.pid ?? 0
    const left = spawn('nsenter', ['--all', '--target', String(await childOf(first)), 'ps', '-eo', 'comm='])
    let names = ''
    left.stdout.on('data', (chunk) => (names += String(chunk)))
    await once(left, 'close')
    expect(names.trim().split(/\s+/)).toEqual([expect.stringContaining('keeper'), 'ps'])
    child.stdin.end()
    await ended
  })

  test('kills nothing and ends at once if it is not the first process of its namespace', async () => {
    const script = `sleep 600 & p=$!; echo k | ${await writeKeeper(600)}; kill -0 $p && echo alive`
    const { child, said, ended } = start(['sh', '-c', script])
    child.stdin.end()
    await ended
    expect(said()).toBe('alive\n')
  })

  test('its memory and its files are closed to other processes of its user', async () => {
    const keeper = await writeKeeper(600)
    const asUser = ['setpriv', '--reuid=1500', '--regid=1500', '--clear-groups', '--inh-caps=-all', '--no-new-privs']
    await chmod(folder, 0o755)
    const { child, said } = start([...asUser, keeper])
    child.stdin.write('k')
    while (said() === '') await once(child.stdout, 'data')
    const target = String(await childOf(child.pid ?? 0))
    const script =
      'head -c1 /proc/1/mem; ls /proc/1/fd; cat /proc/1/environ; readlink /proc/1/exe; kill -9 1; kill -19 1'
    const other = spawn('nsenter', ['--all', '--target', target, ...asUser, 'sh', '-c', script])
    let printed = ''
    other.stdout.on('data', (chunk) => (printed += String(chunk)))
    await once(other, 'close')
    expect(printed).toBe('')
    child.stdin.write('k')
    while (said().length < 2) await once(child.stdout, 'data')
    child.stdin.end()
  })
})

async function childOf(pid: number) {
  const list = spawn('ps', ['-o', 'pid=', '--ppid', String(pid)])
  let printed = ''
  list.stdout.on('data', (chunk) => (printed += String(chunk)))
  await once(list, 'close')
  return Number(printed)
}

test('is written for two processors, and no other', () => {
  const machineOf = (file: Uint8Array | null) => file && new DataView(file.buffer).getUint16(18, true)
  expect(machineOf(keeperProgram(60, 'x64'))).toBe(62)
  expect(machineOf(keeperProgram(60, 'arm64'))).toBe(183)
  expect(keeperProgram(60, 'riscv64')).toBeNull()
})
