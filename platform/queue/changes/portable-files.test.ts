import { expect, test } from 'vitest'

import { threadMs } from '#tools/processor-time.ts'
import { portableFiles } from './portable-files.ts'

const side = { kind: 'file' as const, sizeBytes: 1, isExecutable: false, hasContent: true }
const fileAt = (path: string, after: typeof side | null = side) => ({
  path,
  change: 'changed' as const,
  isArtifact: false,
  isBinary: false,
  before: side,
  after,
  addedLines: 1,
  removedLines: 0,
  places: { before: null, after: null },
})
const portable = (files: ReturnType<typeof fileAt>[]) => portableFiles(files).map(({ path }) => path)

test('a file below another file, with its name or outside of the folder is not portable', () => {
  const paths = ['a', 'a/b', 'a/b/c', 'a-b', 'a b/c', 'ab/c', 'ab', 'ab', 'x/../y', '/z', 'd/e', 'd/ef', 'd/e/f/g']
  expect(portable(paths.map((path) => fileAt(path)))).toEqual(['a', 'a-b', 'a b/c', 'ab', 'd/e', 'd/ef'])
})

test('a deleted file may have become a folder, and be in a folder that became a file', () => {
  const files = [fileAt('a', null), fileAt('a/b'), fileAt('c'), fileAt('c/d', null)]
  expect(portable(files)).toEqual(['a', 'a/b', 'c', 'c/d'])
})

test('10,000 files in 2,000 nested folders take no minutes', async () => {
  const files = Array.from({ length: 10_000 }, (_, index) => fileAt(`${'a/'.repeat(2000)}${index}`))
  expect(await threadMs(() => portableFiles(files))).toBeLessThan(5000)
})
