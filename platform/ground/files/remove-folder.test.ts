import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { threadMs } from '#tools/processor-time.ts'
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

test('a folder with very many files is removed without work for each of them', { timeout: 120_000 }, async () => {
  const timeOf = async (remove: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-many-'))
    execFileSync('bash', ['-c', 'mkdir a; cd a; seq 20000 | xargs touch'], { cwd: folder })
    const ms = await threadMs(() => remove(folder))
    expect(existsSync(folder)).toBe(false)
    return ms
  }
  const oneByOne = await timeOf((folder) => rm(folder, { recursive: true }))
  expect(await timeOf(removeFolder)).toBeLessThan(oneByOne / 2)
})

test('only the link is removed if a link took the place of the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-link-'))
  execFileSync('bash', ['-c', 'mkdir kept; echo x > kept/file; ln -s kept link'], { cwd: folder })
  await removeFolder(join(folder, 'link'))
  expect([existsSync(join(folder, 'link')), existsSync(join(folder, 'kept/file'))]).toEqual([false, true])
  await removeFolder(folder)
})
