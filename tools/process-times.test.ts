import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { commandOf, readProcesses, timesOfTree, treeOf } from './process-times.mjs'

const busy = (ms: number) => `while (process.cpuUsage().user < ${ms * 1000});`

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)(
  'the time of a process counts what its children did, while they live and after they ended',
  async () => {
    const before = timesOfTree(process.pid).childrenMs
    const child = spawn(process.execPath, ['-e', `${busy(200)} console.log('done'); process.stdin.resume()`])
    await once(child.stdout, 'data')
    const during = timesOfTree(process.pid).childrenMs
    expect(during - before).toBeGreaterThanOrEqual(150)
    child.stdin.end()
    await once(child, 'exit')
    expect(timesOfTree(process.pid).childrenMs).toBeGreaterThanOrEqual(during)
  },
)

test.skipIf(!isLinux)('the tree of a process has its children, and each has its command', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  await once(child, 'spawn')
  const tree = treeOf(process.pid)
  expect(tree).toContain(child.pid)
  expect(readProcesses().get(child.pid ?? 0)?.parent).toBe(process.pid)
  expect(commandOf(child.pid ?? 0)).toContain('process.stdin.resume()')
  child.stdin.end()
  await once(child, 'exit')
  expect(commandOf(child.pid ?? 0)).toBe('')
})
