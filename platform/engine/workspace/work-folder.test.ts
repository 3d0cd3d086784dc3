import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { lockFolder } from '#platform/ground/database/lock-folder.ts'
import { openWorkFolder } from './work-folder.ts'

let root: string
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'assay-work-')), 'work')
})
afterEach(() => rm(join(root, '..'), { recursive: true, force: true }))

const program = `
import { mkdir } from 'node:fs/promises'
import { openWorkFolder } from './work-folder.ts'
const { workFolder } = await openWorkFolder(process.argv[1])
await mkdir(workFolder + '/1/workspace', { recursive: true })
console.log(workFolder)
setInterval(() => {}, 1000)`

const workerName = (workFolder: string) => basename(dirname(workFolder))

/** Starts a worker in a separate process. Returns its folder once it has one. */
async function startWorker() {
  const worker = spawn(process.execPath, ['--input-type=module', '-e', program, root], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(worker.stdout, 'data')
  return { worker, workFolder: String(line).trim() }
}

test('the next workers empty the folder of a killed worker, then remove it, and keep that of a live one', async () => {
  const live = await startWorker()
  const { worker, workFolder } = await startWorker()
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  expect(existsSync(join(workFolder, '1/workspace'))).toBe(true)

  const next = await openWorkFolder(root)
  expect(existsSync(workFolder)).toBe(false)
  expect(next.hasEnded(workerName(workFolder))).toBe(true)
  expect(next.hasEnded(workerName(live.workFolder))).toBe(false)
  expect(existsSync(join(live.workFolder, '1/workspace'))).toBe(true)
  await utimes(dirname(workFolder), 0, 0)
  const another = await openWorkFolder(root)
  another.release()
  expect(existsSync(dirname(workFolder))).toBe(false)
  expect((await stat(root)).mode & 0o777).toBe(0o700)
  live.worker.kill('SIGKILL')
  await once(live.worker, 'exit')
  expect(next.hasEnded(workerName(live.workFolder))).toBe(true)
  expect(next.hasEnded('of-another-machine')).toBe(false)
  next.release()
})

test('the folder of a worker on another machine stays, although its lock seems free, until it is a week old', async () => {
  const name = `000000000000-${randomUUID()}`
  const runs = join(root, name, 'runs')
  await mkdir(join(runs, '1/workspace'), { recursive: true })
  lockFolder(join(root, name)).release()
  const next = await openWorkFolder(root)
  expect(existsSync(join(runs, '1/workspace'))).toBe(true)
  expect(next.hasEnded(name)).toBe(false)
  next.release()
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  await utimes(runs, daysAgo(8), daysAgo(6))
  await utimes(join(root, name), daysAgo(8), daysAgo(8))
  ;(await openWorkFolder(root)).release()
  expect(existsSync(join(runs, '1/workspace'))).toBe(true)
  await utimes(runs, daysAgo(8), daysAgo(8))
  ;(await openWorkFolder(root)).release()
  expect(existsSync(runs)).toBe(false)
})

test('a worker that has the data folder for itself empties all others, as after a reboot', async () => {
  const before = join(root, `000000000000-${randomUUID()}`)
  await mkdir(join(before, 'runs/1/workspace'), { recursive: true })
  ;(await openWorkFolder(root, { isAlone: true })).release()
  expect(existsSync(join(before, 'runs'))).toBe(false)
})

test('workers that start at once each get their own folder, and older layouts are removed', async () => {
  await mkdir(join(root, '4711/1/workspace'), { recursive: true })
  await writeFile(join(root, 'stray.txt'), '')
  const opened = await Promise.all(Array.from({ length: 5 }, () => openWorkFolder(root)))
  for (const { workFolder } of opened) expect(existsSync(join(workFolder, '..'))).toBe(true)
  expect(new Set(opened.map(({ workFolder }) => workFolder)).size).toBe(5)
  expect(existsSync(join(root, '4711'))).toBe(false)
  for (const { release } of opened) release()
})
