import { expect, test } from 'vitest'

import { cutToHunk, hunkLines, hunkParam, patchHunks, readHunkParam } from './patch-hunks.ts'

const before = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('')
const after = before.replace('line 3\n', '').replace('line 20\n', '  @@ twenty\nmore\n')
const patch = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,6 +1,5 @@
 line 1
 line 2
-line 3
 line 4
 line 5
 line 6
@@ -17,7 +16,8 @@
 line 17
 line 18
 line 19
-line 20
+  @@ twenty
+more
 line 21
 line 22
 line 23
`

const text = (content: string) => ({ encoding: 'utf8' as const, text: content })

test('a patch is cut into its hunks, each with its lines and a text to quote', () => {
  const [first, second, ...more] = patchHunks(patch)
  expect(more).toEqual([])
  expect(first).toMatchObject({ addedLines: 0, removedLines: 1, firstChange: '-line 3' })
  expect(second).toMatchObject({ addedLines: 2, removedLines: 1, firstChange: '-line 20' })
  expect(second?.quote).toMatch(/^@@ -17,7 \+16,8 @@\n line 17\n[^]* line 23$/)
  expect(patchHunks('Binary files a/x and b/x differ\n')).toEqual([])
  expect(patchHunks('')).toEqual([])
})

test.each(['\r', '\u2028', '\u2029'])('a line with %j inside starts no hunk', (separator) => {
  const forged = `@@ -1,1 +1,1 @@\n-a\n+b${separator}@@ -7,1 +7,1 @@\n`
  expect(patchHunks(forged).map(({ range }) => range.newStart)).toEqual([1])
})

test('the URL names a hunk by its lines, and both sides are cut to them', () => {
  const range = patchHunks(patch)[1]?.range
  if (!range) throw new Error('no hunk')
  expect(hunkLines(range)).toBe('lines 16–23')
  expect(readHunkParam(hunkParam(range))).toEqual(range)
  const cut = cutToHunk({ before: text(before), after: text(after) }, range)
  expect(cut?.before?.text).toBe('line 17\nline 18\nline 19\nline 20\nline 21\nline 22\nline 23')
  expect(cut?.after?.text).toBe('line 17\nline 18\nline 19\n  @@ twenty\nmore\nline 21\nline 22\nline 23')
})

test('values that name no lines show the whole file, and lines that a file does not have show none', () => {
  for (const value of ['', '1', '1,2,3', '1,0,1,0', '-1,2,1,2', '1,2,3,4,5', '1e3,1,1,1', '99999999,1,1,1'])
    expect(readHunkParam(value)).toBeNull()
  const contents = { before: text('one\n'), after: text('two\n') }
  expect(cutToHunk(contents, { oldStart: 1, oldLines: 2, newStart: 1, newLines: 1 })).toBeNull()
  expect(cutToHunk(contents, { oldStart: 0, oldLines: 1, newStart: 1, newLines: 1 })).toBeNull()
  expect(cutToHunk({ ...contents, before: null }, { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 })).toBeNull()
})

test('a hunk in which only the last line break differs shows the difference', () => {
  const contents = { before: text('one\ntwo'), after: text('one\ntwo\n') }
  const cut = cutToHunk(contents, { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 })
  expect(cut?.before?.text).toBe('one\ntwo')
  expect(cut?.after?.text).toBe('one\ntwo\n')
})
