import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { kilobytesOfFile } from '#platform/engine/sandbox/disk-usage.ts'
import { finishingScript } from './image-tools.ts'

test('an image of many empty files occupies room in the cache', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-image-size-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (let file = 0; file < 500; file += 1) await writeFile(join(folder, `empty ${file}`), '')
  const printed = execFileSync('sh', ['-c', finishingScript], { cwd: folder, encoding: 'utf8' })
  expect(Number(printed.trim())).toBeGreaterThanOrEqual(500 * kilobytesOfFile)
})
