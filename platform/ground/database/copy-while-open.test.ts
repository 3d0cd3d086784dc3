import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { copyWhileOpen } from './copy-while-open.ts'

let from: string
let to: string

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  from = join(folder, 'from')
  to = join(folder, 'to')
  await mkdir(join(from, 'inner'), { recursive: true })
})

/** A file that was last changed a minute ago. */
async function old(path: string, text: string) {
  await writeFile(join(from, path), text)
  await utimes(join(from, path), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000))
}

const textIn = (path: string) => readFile(join(to, path), 'utf8')

test('a copy has what was written, made, renamed and removed after most of it was copied', async () => {
  for (const name of ['kept', 'written', 'removed', 'inner/renamed']) await old(name, 'one')
  await mkdir(join(from, 'gone'))
  await copyWhileOpen(from, to, async (work) => {
    await writeFile(join(from, 'written'), 'two')
    await writeFile(join(from, 'inner/made'), 'two')
    await mkdir(join(from, 'empty'))
    await rename(join(from, 'inner/renamed'), join(from, 'inner/other'))
    for (const name of ['removed', 'gone']) await rm(join(from, name), { recursive: true })
    await work()
  })
  expect((await readdir(to, { recursive: true })).toSorted()).toEqual(
    ['empty', 'inner', 'inner/made', 'inner/other', 'kept', 'written'].toSorted(),
  )
  expect(await Promise.all(['kept', 'written', 'inner/made', 'inner/other'].map(textIn))).toEqual([
    'one',
    'two',
    'two',
    'one',
  ])
})

test('a change with the time of an earlier one is in the copy, if both were made just now', async () => {
  await writeFile(join(from, 'hot'), 'one')
  const { atime, mtime } = await stat(join(from, 'hot'))
  await copyWhileOpen(from, to, async (work) => {
    await writeFile(join(from, 'hot'), 'two')
    await utimes(join(from, 'hot'), atime, mtime)
    await work()
  })
  expect(await textIn('hot')).toBe('two')
})

test('only files that changed are copied while nobody may write', async () => {
  for (const name of ['large', 'small']) await old(name, 'one')
  await copyWhileOpen(from, to, async (work) => {
    await writeFile(join(from, 'small'), 'two')
    await writeFile(join(to, 'large'), 'not copied again')
    await work()
  })
  expect([await textIn('large'), await textIn('small')]).toEqual(['not copied again', 'two'])
})
