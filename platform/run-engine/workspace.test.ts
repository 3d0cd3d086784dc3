import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { create } from 'tar'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { folderBlobs } from '#platform/blobs/folder-blobs.ts'
import { packageKey } from '#platform/experiments/stage-blob.ts'
import { makeRunFolders, materialize } from './materialize.ts'
import { readInside } from './workspace-path.ts'

let folder: string
let workspace: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-workspace-'))
  workspace = (await makeRunFolders(join(folder, 'run'))).workspace
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const blobs = () => folderBlobs(join(folder, 'blobs'))

async function stage(source: string, cwd: string, entries: string[]) {
  const tar = join(folder, 'staged.tar')
  await create({ cwd, file: tar }, entries)
  const bytes = await readFile(tar)
  const tarSha256 = createHash('sha256').update(bytes).digest('hex')
  await blobs().put(packageKey(tarSha256), bytes)
  return { source, dest: 'any', tarSha256, sizeBytes: bytes.byteLength }
}

test('a link an agent left behind is replaced, not followed, when test files are written', async () => {
  const outside = join(folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'precious.txt'), 'precious')
  await symlink(outside, join(workspace, 'tests'))
  await symlink(join(outside, 'precious.txt'), join(workspace, 'plain.txt'))
  const files = ['tests/precious.txt', 'plain.txt'].map((dest) => ({ dest, content: 'new' }))
  await materialize(blobs(), workspace, files, [])
  expect(await readFile(join(outside, 'precious.txt'), 'utf8')).toBe('precious')
  expect(await readFile(join(workspace, 'tests/precious.txt'), 'utf8')).toBe('new')
  expect(await readFile(join(workspace, 'plain.txt'), 'utf8')).toBe('new')
})

test('a report that is a link out of the workspace, a folder or too large is not read', async () => {
  await symlink('/etc/passwd', join(workspace, 'report.xml'))
  await expect(readInside(workspace, 'report.xml', 1000)).rejects.toThrow('not a plain file')
  await symlink('/etc', join(workspace, 'etc'))
  await expect(readInside(workspace, 'etc/passwd', 1000)).rejects.toThrow('not a plain file')
  await expect(readInside(workspace, 'none.xml', 1000)).rejects.toThrow('does not exist')
  await writeFile(join(workspace, 'large.xml'), 'x'.repeat(2000))
  await expect(readInside(workspace, 'large.xml', 1000)).rejects.toThrow('larger')
})

test('a staged file becomes dest, a staged folder adds its entries to dest', async () => {
  const source = join(folder, 'source')
  await mkdir(join(source, 'deep'), { recursive: true })
  await writeFile(join(source, 'one.txt'), 'one')
  await writeFile(join(source, 'deep/two.txt'), 'two')
  const single = await stage('single', source, ['one.txt'])
  const whole = await stage('whole', source, ['one.txt', 'deep'])
  await writeFile(join(workspace, 'before.txt'), 'before')
  const wanted = [
    { dest: 'data/renamed.txt', source: 'single' },
    { dest: 'data', source: 'whole' },
  ]
  await materialize(blobs(), workspace, wanted, [single, whole])
  expect(await readFile(join(workspace, 'data/renamed.txt'), 'utf8')).toBe('one')
  expect(await readFile(join(workspace, 'data/one.txt'), 'utf8')).toBe('one')
  expect(await readFile(join(workspace, 'data/deep/two.txt'), 'utf8')).toBe('two')
})

test('a source that is not in the package, or no longer staged, is named', async () => {
  const wanted = [{ dest: 'x', source: 'gone' }]
  await expect(materialize(blobs(), workspace, wanted, [])).rejects.toThrow("gone is not in the version's package")
  const gone = { source: 'gone', dest: 'x', tarSha256: 'a'.repeat(64), sizeBytes: 1 }
  await expect(materialize(blobs(), workspace, wanted, [gone])).rejects.toThrow('not staged any more')
})
