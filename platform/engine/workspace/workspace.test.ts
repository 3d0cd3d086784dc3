import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'

import { create, Header } from 'tar'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { folderBlobs } from '#platform/ground/blobs/folder-blobs.ts'
import { packageKey } from '#platform/inputs/experiments/stage-blob.ts'
import { makeRunFolders, materialize } from './materialize.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { inFolder, inPlace, readInside } from './workspace-path.ts'

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

test('no folder is entered through a link that an agent left, at any part of its path', async () => {
  await mkdir(join(folder, 'outside/inner'), { recursive: true })
  await mkdir(join(workspace, 'real'))
  await symlink(join(folder, 'outside'), join(workspace, 'link'))
  await symlink('../link', join(workspace, 'real/link'))
  const enter = (path: string) => inFolder(workspace, path, async ({ place }) => readdir(place('.')))
  expect(await enter('real')).toEqual(['link'])
  for (const path of ['link', 'link/inner', 'real/link', 'real/link/inner'])
    await expect(enter(path), path).rejects.toThrow(/ELOOP|ENOTDIR/)
})

test('a report that is a link out of the workspace, a folder or a too large file is not read', async () => {
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

test('files of a run have the usual modes, whatever the platform’s umask', async () => {
  const before = process.umask(0o077)
  try {
    const run = (await makeRunFolders(join(folder, 'private'))).workspace
    const source = join(folder, 'source')
    await mkdir(source)
    await writeFile(join(source, 'tool.sh'), '')
    await chmod(join(source, 'tool.sh'), 0o755)
    await writeFile(join(source, 'data.txt'), '')
    await chmod(join(source, 'data.txt'), 0o644)
    const staged = await stage('whole', source, ['tool.sh', 'data.txt'])
    const wanted = [
      { dest: 'whole', source: 'whole' },
      { dest: 'in/plain.txt', content: '' },
      { dest: 'in/run.sh', content: '', executable: true },
    ]
    await materialize(blobs(), run, wanted, [staged])
    const paths = ['', 'whole', 'whole/tool.sh', 'whole/data.txt', 'in', 'in/plain.txt', 'in/run.sh']
    const modes = paths.map(async (path) => [path, (await stat(join(run, path))).mode & 0o777])
    expect(Object.fromEntries(await Promise.all(modes))).toEqual({
      '': 0o755,
      whole: 0o755,
      'whole/tool.sh': 0o755,
      'whole/data.txt': 0o644,
      in: 0o755,
      'in/plain.txt': 0o644,
      'in/run.sh': 0o755,
    })
  } finally {
    process.umask(before)
  }
})

test('the error for a source missing from the package or no longer staged names it', async () => {
  const wanted = [{ dest: 'x', source: 'gone' }]
  await expect(materialize(blobs(), workspace, wanted, [])).rejects.toThrow("gone is not in the version's package")
  const gone = { source: 'gone', dest: 'x', tarSha256: 'a'.repeat(64), sizeBytes: 1 }
  await expect(materialize(blobs(), workspace, wanted, [gone])).rejects.toThrow('no longer staged')
})

const stagedTar = async (bytes: Uint8Array) => {
  const tarSha256 = createHash('sha256').update(bytes).digest('hex')
  await blobs().put(packageKey(tarSha256), bytes)
  return { source: 'package', dest: 'any', tarSha256, sizeBytes: bytes.byteLength }
}
const wantPackage = [{ dest: 'data', source: 'package' }]
const unpackInto = async (bytes: Uint8Array, signal?: AbortSignal) =>
  materialize(blobs(), workspace, wantPackage, [await stagedTar(bytes)], signal)

/** A tar with one header of these fields and the zeros that end it. */
function tarOf(fields: ConstructorParameters<typeof Header>[0], end = 1024) {
  const block = Buffer.alloc(512)
  new Header({ mode: 0o644, size: 0, mtime: new Date(0), ...fields }).encode(block)
  return Buffer.concat([block, Buffer.alloc(end)])
}

test('links of a package are kept: symbolic links keep their targets, and hard links contain the same file', async () => {
  const source = join(folder, 'source')
  await mkdir(join(source, 'bin'), { recursive: true })
  await writeFile(join(source, 'real.txt'), 'real')
  await link(join(source, 'real.txt'), join(source, 'hard.txt'))
  await symlink('/usr/bin/python3', join(source, 'bin/python'))
  await symlink('../real.txt', join(source, 'bin/relative'))
  const staged = await stage('package', source, ['real.txt', 'hard.txt', 'bin'])
  await materialize(blobs(), workspace, wantPackage, [staged])
  expect(await readFile(join(workspace, 'data/hard.txt'), 'utf8')).toBe('real')
  expect(await readlink(join(workspace, 'data/bin/python'))).toBe('/usr/bin/python3')
  expect(await readFile(join(workspace, 'data/bin/relative'), 'utf8')).toBe('real')
})

test('a package that is cut off, too large, leads out of its folder or is not a tar is rejected with a reason', async () => {
  const source = join(folder, 'source')
  await mkdir(source)
  await writeFile(join(source, 'a.txt'), 'a'.repeat(3000))
  await writeFile(join(source, 'b.txt'), 'b'.repeat(3000))
  await create({ cwd: source, file: join(folder, 'whole.tar') }, ['a.txt', 'b.txt'])
  const whole = await readFile(join(folder, 'whole.tar'))
  for (const length of [100, 512, 1000, 3584, 3700, 6000, 7168])
    await expect(unpackInto(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(
      /^package could not be unpacked: /,
    )
  const refusals: [Buffer, RegExp][] = [
    [tarOf({ path: 'large', type: 'File', size: 3 * 1024 ** 3 }), /more than 2 GiB/],
    [tarOf({ path: '../out', type: 'File' }), /leads out/],
    [tarOf({ path: '/out', type: 'File' }), /leads out/],
    [tarOf({ path: 'in', type: 'Link', linkpath: '../../out' }), /leads out/],
    [Buffer.from('no tar at all '.repeat(100)), /could not be unpacked/],
    [gzipSync(Buffer.concat([whole, Buffer.alloc(16 * 1024 * 1024)])), /compressed/],
    [zstdCompressSync(whole), /compressed/],
  ]
  for (const [bytes, reason] of refusals) {
    await expect(unpackInto(bytes)).rejects.toThrow(reason)
    await expect(unpackInto(bytes)).rejects.toBeInstanceOf(RunFailure)
  }
  expect(await readdir(workspace)).toEqual([])
  expect(await readdir(join(folder, 'run'))).toEqual(['home', 'workspace'])
})

test('no file of a package is written through a link of that package', async () => {
  const outside = join(folder, 'outside')
  await mkdir(outside)
  const through = Buffer.concat([
    tarOf({ path: 'way', type: 'SymbolicLink', linkpath: outside }, 0),
    tarOf({ path: 'way/written.txt', type: 'File' }),
  ])
  await unpackInto(through)
  expect(await readdir(outside)).toEqual([])
})

test('an abort ends the wait for a store that does not answer, and ends unpacking', async () => {
  const controller = new AbortController()
  const stuck = { ...blobs(), get: () => new Promise<never>(() => {}) }
  const staged = await stagedTar(tarOf({ path: 'a', type: 'File' }))
  const waiting = materialize(stuck, workspace, wantPackage, [staged], controller.signal)
  controller.abort()
  await waiting
  await unpackInto(tarOf({ path: 'a', type: 'File' }), controller.signal)
  expect(await readdir(workspace)).toEqual([])
})

test('the workspace folder itself is rejected as the path of a file or a report', async () => {
  await writeFile(join(workspace, 'kept.txt'), 'kept')
  for (const path of ['.', './', 'a/..', '..', '../home', ''])
    await expect(inPlace(workspace, path, async () => {})).rejects.toThrow('is not a path inside the workspace')
  expect(await readdir(workspace)).toEqual(['kept.txt'])
})

test('a file that cannot be written to the workspace ends the run with a reason', async () => {
  const written = materialize(blobs(), workspace, [{ dest: 'x'.repeat(300), content: '' }], [])
  await expect(written).rejects.toThrow(/could not be written \(ENAMETOOLONG\)$/)
  await expect(written).rejects.toBeInstanceOf(RunFailure)
})
