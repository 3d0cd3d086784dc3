import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { folderBlobs } from '#platform/ground/blobs/folder-blobs.ts'
import { packageKey } from '#platform/inputs/experiments/stage-blob.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'
import { applyDockerignore } from './apply-dockerignore.ts'
import { openContext } from './build-image.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-context-'))
  await mkdir(join(folder, 'host'))
  await writeFile(join(folder, 'host', 'Dockerfile'), 'SECRET of the host')
})
afterAll(() => removeFolder(folder))

/** Opens a context with one package, which has a folder and a link to a folder of the host. */
async function openLinked(dockerfile: string) {
  const blobs = folderBlobs(join(folder, 'blobs'))
  const tarSha256 = 'a'.repeat(64)
  const tar = writeTar([
    { name: 'real/Dockerfile', content: 'FROM scratch' },
    { name: 'out', type: '2', link: join(folder, 'host') },
  ])
  await blobs.put(packageKey(tarSha256), tar)
  const file = { dest: 'all', source: './all' }
  const build = { context: [file], staged: [{ ...file, tarSha256, sizeBytes: tar.byteLength }], dockerfile }
  return openContext(build, blobs, join(folder, 'context'), new AbortController().signal)
}

test('a Dockerfile is read through no link of a package', async () => {
  expect((await openLinked('all/real/Dockerfile')).stages).toHaveLength(1)
  const refusal = 'the context of its build has no plain file of at most 1 MiB at '
  for (const path of ['all/out/Dockerfile', 'all/out', 'all/real', 'all/none'])
    await expect(openLinked(path)).rejects.toThrow(`${refusal}${path}`)
})

/** Opens a context of inline files and one package, and returns the paths that are left for COPY. */
async function openIgnoring(files: Record<string, string>, dockerfile?: string) {
  const blobs = folderBlobs(join(folder, 'blobs'))
  const tarSha256 = 'b'.repeat(64)
  const tar = writeTar([
    { name: 'deep/er/a.log', content: '' },
    { name: 'deep/er/b.txt', content: '' },
    { name: 'out', type: '2', link: join(folder, 'host') },
  ])
  await blobs.put(packageKey(tarSha256), tar)
  const file = { dest: 'all', source: './all' }
  const inline = Object.entries({ Dockerfile: 'FROM scratch', ...files }).map(([dest, content]) => ({ dest, content }))
  const staged = [{ ...file, tarSha256, sizeBytes: tar.byteLength }]
  const build = { context: [...inline, file], staged, ...(dockerfile !== undefined && { dockerfile }) }
  const context = await mkdtemp(join(folder, 'ignoring-'))
  await openContext(build, blobs, context, new AbortController().signal)
  const entries = await readdir(context, { withFileTypes: true, recursive: true })
  const left = entries.filter((entry) => !entry.isDirectory())
  return left.map((entry) => relative(context, join(entry.parentPath, entry.name))).toSorted()
}

test('a build copies no file that its .dockerignore excludes, and reads its Dockerfile anyway', async () => {
  const all = ['Dockerfile', 'all/deep/er/a.log', 'all/deep/er/b.txt', 'all/out']
  expect(await openIgnoring({})).toEqual(all)
  const ignoring = (text: string) => openIgnoring({ '.dockerignore': text })
  expect(await ignoring('*\n')).toEqual([])
  expect(await ignoring('**/*.log\nDockerfile')).toEqual(['.dockerignore', 'all/deep/er/b.txt', 'all/out'])
  // The last pattern that matches decides, also inside an excluded folder.
  expect(await ignoring('all\n!all/deep/er\nall/deep/er/a.*')).toEqual([
    '.dockerignore',
    'Dockerfile',
    'all/deep/er/b.txt',
  ])
})

test('the .dockerignore that is named like the Dockerfile replaces the common one', async () => {
  const files = { other: 'FROM scratch', 'other.dockerignore': 'all', '.dockerignore': '*' }
  expect(await openIgnoring(files, 'other')).toEqual(['.dockerignore', 'Dockerfile', 'other', 'other.dockerignore'])
})

test('a .dockerignore removes a link, and nothing behind it', async () => {
  expect(await openIgnoring({ '.dockerignore': 'all/out\nall/out/Dockerfile' })).not.toContain('all/out')
  expect(await openIgnoring({ '.dockerignore': 'all/out/**\nall/out/*\n**/Dockerfile' })).toContain('all/out')
  expect(await readFile(join(folder, 'host', 'Dockerfile'), 'utf8')).toBe('SECRET of the host')
})

test('a .dockerignore that is unreadable, too large or invalid ends the build with a sentence', async () => {
  await expect(openIgnoring({ '.dockerignore': '[' })).rejects.toThrow('line 1 of .dockerignore has the pattern [')
  await expect(openIgnoring({ '.dockerignore': '#'.repeat(65 * 1024) })).rejects.toThrow(
    'the context of its build has no plain file of at most 64 KiB at .dockerignore',
  )
  await expect(openIgnoring({ '.dockerignore/folder': '' })).rejects.toThrow('no plain file')
})

test('a .dockerignore whose patterns need too much work for its files ends the build with a sentence', async () => {
  const context = await mkdtemp(join(folder, 'hostile-'))
  await writeFile(join(context, '.dockerignore'), `${'*a'.repeat(400)}b\n`.repeat(80))
  for (const index of [1, 2, 3]) await writeFile(join(context, `${'a'.repeat(250)}${index}`), '')
  const { signal } = new AbortController()
  await expect(applyDockerignore(context, 'Dockerfile', { signal, maxSteps: 1_000_000 })).rejects.toThrow(
    '.dockerignore has too many patterns for the number of files of its build',
  )
})
