import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { runToEnd } from './run-to-end.ts'

const folder = await mkdtemp(join(tmpdir(), 'assay-run-to-end-'))

afterAll(() => rm(folder, { recursive: true }))

test('a tool runs in its folder, and one that fails says why', async () => {
  await runToEnd('sh', ['-c', 'echo made > here'], { cwd: folder })
  expect(await readFile(join(folder, 'here'), 'utf8')).toBe('made\n')
  await expect(runToEnd('sh', ['-c', 'echo "no room" >&2; echo more >&2; exit 3'])).rejects.toThrow(
    'sh failed with exit code 3: no room',
  )
  await expect(runToEnd('no-such-tool', [])).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a tool that takes too long, or is stopped, ends with what it started', async () => {
  const waiting = ['-c', `sleep 1000 & echo $! > ${join(folder, 'pid')}; wait`]
  await expect(runToEnd('sh', waiting, { timeoutMs: 500 })).rejects.toThrow('sh did not end within 0.5 s')
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect(runToEnd('sh', waiting, { signal: AbortSignal.timeout(500) })).rejects.toThrow('aborted due to timeout')
})

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
