import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ChangesFormat } from '#contract/changes.ts'
import { filesOfDownload } from './files-of-download.ts'
import type { RecordedFile } from './manifest.ts'
import type { Download } from './read-changes.ts'
import { writeArchive } from './write-archive.ts'
import { writePatch } from './write-patch.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-downloads-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Entry = { content: Buffer; kind: 'file' | 'link'; isExecutable: boolean; hasContent?: boolean }
type Tree = Record<string, Entry>

const file = (content: string | Buffer = '', isExecutable = false): Entry => ({
  content: Buffer.from(content),
  kind: 'file',
  isExecutable,
})
const link = (target: string): Entry => ({ content: Buffer.from(target), kind: 'link', isExecutable: false })

type RecordedChanges = { files: RecordedFile[]; read: Download['read'] }

const download = ({ files, read }: RecordedChanges, format: ChangesFormat): Download => ({
  files: filesOfDownload(files, { format, path: null }) ?? [],
  read,
})

/** The recorded changes between two trees. Some paths of a list may be equal, as those of masked names. */
function changesBetween(before: Tree, after: Tree, more: readonly [string, Entry][] = []): RecordedChanges {
  const contents: Buffer[] = []
  const pairs: [string, Entry | null, Entry | null][] = [
    ...[...new Set([...Object.keys(before), ...Object.keys(after)])].map(
      (path) => [path, before[path] ?? null, after[path] ?? null] as [string, Entry | null, Entry | null],
    ),
    ...more.map(([path, entry]) => [path, null, entry] as [string, null, Entry]),
  ]
  const place = (entry: Entry | null) =>
    entry && entry.hasContent !== false
      ? { pack: contents.push(entry.content) - 1, start: 0, length: entry.content.byteLength }
      : null
  const state = (entry: Entry | null) =>
    entry && {
      kind: entry.kind,
      isExecutable: entry.isExecutable,
      sizeBytes: entry.content.byteLength,
      hasContent: entry.hasContent !== false,
    }
  return {
    files: pairs.map(([path, old, now]) => ({
      path,
      change: old === null ? 'added' : now === null ? 'deleted' : 'changed',
      isArtifact: false,
      isBinary: [old, now].some((side) => side?.content.includes(0)),
      before: state(old),
      after: state(now),
      addedLines: null,
      removedLines: null,
      places: { before: place(old), after: place(now) },
    })),
    read: async ({ pack }) => contents[pack] ?? null,
  }
}

async function writeTree(root: string, tree: Tree) {
  for (const [path, { content, kind, isExecutable }] of Object.entries(tree)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    if (kind === 'link') await symlink(content.toString(), join(root, path))
    else await writeFile(join(root, path), content)
    if (isExecutable) await chmod(join(root, path), 0o755)
  }
}

/** Vitest compares large buffers slowly. */
const shown = (tree: Tree) =>
  Object.fromEntries(
    Object.entries(tree).map(([path, entry]) => [path, { ...entry, content: entry.content.toString('base64') }]),
  )

async function readTree(root: string): Promise<ReturnType<typeof shown>> {
  const tree: Tree = {}
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const place = join(entry.parentPath, entry.name)
    const path = place.slice(root.length + 1)
    if (entry.isSymbolicLink()) tree[path] = link(await readlink(place))
    else if (entry.isFile() && !path.startsWith('.git/'))
      tree[path] = file(await readFile(place), ((await lstat(place)).mode & 0o111) !== 0)
  }
  return shown(tree)
}

/** The tree after git has applied the patch, and after it has applied it in reverse. */
async function applyPatch(before: Tree, changes: RecordedChanges) {
  const patch = await buffer(writePatch('', download(changes, 'patch')))
  const place = await mkdtemp(join(folder, 'patch-'))
  const repository = join(place, 'repository')
  execFileSync('git', ['init', '--quiet', repository])
  await writeTree(repository, before)
  await writeFile(join(place, 'changes.patch'), patch)
  const apply = (...options: string[]) =>
    execFileSync('git', ['-C', repository, 'apply', ...options, '../changes.patch'], { stdio: 'pipe' })
  apply()
  const after = await readTree(repository)
  apply('--reverse')
  return { after, again: await readTree(repository), text: patch.toString() }
}

/** What the machine's own tar unpacks. */
async function unpack(changes: RecordedChanges) {
  const place = await mkdtemp(join(folder, 'archive-'))
  await writeFile(`${place}.tar.gz`, await buffer(writeArchive(download(changes, 'archive'), new Date(0))))
  execFileSync('tar', ['-xzf', `${place}.tar.gz`, '-C', place], { stdio: 'pipe' })
  return readTree(place)
}

const hostileNames = [
  'two\nlines\r\n.txt',
  '"quoted" \\ and \'single\'.txt',
  'tab\tbell\u0007delete\u007f',
  ' space at both ends ',
  'a b/c b/a b/c',
  '-rf',
  '--- a',
  '..hidden..',
  '...',
  'ümläut/日本語/🧪.txt',
  '\u0085next line\u2028',
  `${'long/'.repeat(60)}${'n'.repeat(200)}`,
  '@@ -1 +1 @@',
  '%s*?[a].txt',
  '.gitignore',
]

test('git and tar write files with hostile names exactly where they were', async () => {
  const before = Object.fromEntries(hostileNames.map((name) => [name, file(`old ${name}\n`)]))
  const after = Object.fromEntries(hostileNames.map((name) => [name, file(`new ${name}\nwithout a last newline`)]))
  expect(await applyPatch(before, changesBetween(before, after))).toMatchObject({
    after: shown(after),
    again: shown(before),
  })
  expect(await applyPatch({}, changesBetween({}, after))).toMatchObject({ after: shown(after), again: {} })
  expect(await unpack(changesBetween(before, after))).toEqual(shown(after))
})

test('git applies a patch with binary files of every size, and takes it back', async () => {
  const sizes = [1, 2, 3, 4, 5, 51, 52, 53, 1000, 200_000]
  const binary = (size: number) => file(Buffer.concat([Buffer.alloc(1), randomBytes(size)]))
  const before = { ...Object.fromEntries(sizes.map((size) => [`changed ${size}`, binary(size)])), gone: binary(70) }
  const after = {
    ...Object.fromEntries(sizes.map((size) => [`changed ${size}`, binary(size)])),
    new: binary(300),
    'tool.bin': file(Buffer.alloc(90), true),
    'text.txt': file('text\n'),
  }
  expect(await applyPatch(before, changesBetween(before, after))).toMatchObject({
    after: shown(after),
    again: shown(before),
  })
  expect(await unpack(changesBetween(before, after))).toEqual(shown(after))
})

test('git applies empty files, modes, links, and files that become links or folders', async () => {
  const before = {
    emptied: file('full\n'),
    'empty and gone': file(),
    'tool.sh': file('#!/bin/sh\n'),
    'moved binary': file('\0', true),
    'to link': file('file\n'),
    'to file': link('nowhere'),
    'to folder': file('file\n'),
    'from folder/in': file('in\n'),
    relinked: link('one'),
    'ends.txt': file('a\r\nb\rc\n\u2028d'),
  }
  const after = {
    emptied: file(),
    'new and empty': file(),
    'tool.sh': file('#!/bin/sh\n', true),
    'moved binary': file('\0'),
    'to link': link('/etc/passwd'),
    'to file': file('file\n'),
    'to folder/in': file('in\n'),
    'from folder': link('../outside'),
    relinked: link('two\nlines'),
    'ends.txt': file('a\r\nB\rc\n\u2028d\n'),
  }
  expect(await applyPatch(before, changesBetween(before, after))).toMatchObject({
    after: shown(after),
    again: shown(before),
  })
  expect(await unpack(changesBetween(before, after))).toEqual(shown(after))
})

test('a file that git would refuse, or whose content is not kept, is named and does not spoil the patch', async () => {
  const refused = ['.git/hooks/post-checkout', 'sub/.GIT/config', 'git~1/config', '.git. /x', 'large.bin', 'lost.txt']
  const after: Tree = {
    ...Object.fromEntries(refused.map((name) => [name, file('x\n')])),
    'large.bin': { ...file('x'), hasContent: false },
    'kept.txt': file('kept\n'),
  }
  const changes = changesBetween({}, after)
  const { read } = changes
  const lost = changes.files.find(({ path }) => path === 'lost.txt')?.places.after
  const spoiled = {
    ...changes,
    read: async (place: Parameters<typeof read>[0]) => (place === lost ? null : read(place)),
  }
  const applied = await applyPatch({}, spoiled)
  expect(applied.after).toEqual(shown({ 'kept.txt': file('kept\n') }))
  for (const name of refused) expect(applied.text).toContain(`Not in this patch: ${name}\n`)
})

test('no name leads outside the folder, through a link or to another file', async () => {
  const outside = await mkdtemp(join(folder, 'outside-'))
  const hostile: [string, Entry][] = [
    ['../escaped', file('x')],
    ['/tmp/assay-escaped', file('x')],
    ['a/../../escaped', file('x')],
    ['./escaped', file('x')],
    ['a//escaped', file('x')],
    ['nul\0name', file('x')],
    ['..', link(outside)],
    ['[secret:door]', link(outside)],
    ['[secret:door]/escaped', file('x')],
    ['kept.txt', file('another file with the same masked name')],
  ]
  const kept = { 'kept.txt': file('kept\n'), '[secret:door]': link(outside) }
  const changes = changesBetween({}, { 'kept.txt': file('kept\n') }, hostile)
  expect((await applyPatch({}, changes)).after).toEqual(shown(kept))
  expect(await unpack(changes)).toEqual(shown(kept))
  expect(await readdir(outside)).toEqual([])
})
