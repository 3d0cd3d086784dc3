import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { removeFolder } from './remove-folder.ts'

test('a folder nested deeper than the maximum path length is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-deep-'))
  const nest = 'for ((i = 0; i < 600; i++)); do mkdir folder-of-a-run; cd folder-of-a-run; done; echo x > file'
  execFileSync('bash', ['-c', nest], { cwd: folder })
  await removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
})

test('an unreadable folder is removed, and a missing folder is no error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-shut-'))
  execFileSync('bash', ['-c', 'mkdir -p a/b; echo x > a/b/file; chmod 000 a/b a'], { cwd: folder })
  await removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
  await removeFolder(folder)
})
