import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

/** A pattern that may start at every blank of a run, and at each of them reads to the end of the run. */
const blanksBeforeEnd = /\/(?!\^)(?:\\.|[^/\\\n])*(?:\\s|\[ \\t\]|\[\\s[^\]]*\]| )[*+]\??\$\/[a-z]*/

/** The same, of a pattern that starts with blanks and needs something after them. */
const blanksBeforeMore = /[\s(=,:]\/(?:\\s|\[ \\t\]|\[\\s[^\]]*\]| )[*+]\??[^/\s|]/

const patternsIn = (source: string) =>
  source.split('\n').filter((line) => blanksBeforeEnd.test(line) || blanksBeforeMore.test(line))

test('no pattern searches for blanks before the end of a text or before a sign, which takes quadratic time: trim() does not', () => {
  for (const bad of [String.raw`/\s*!x\s*$/`, String.raw`/\s+$/g`, '/ *$/', String.raw`/[ \t]+$/u`])
    expect(patternsIn(`text.replace(${bad}, '')`)).toHaveLength(1)
  for (const bad of [String.raw`/\s*,\s*/`, String.raw`/[ \t]+#/`])
    expect(patternsIn(`text.split(${bad})`)).toHaveLength(1)
  for (const good of [String.raw`/^[a-z]+\s*$/`, String.raw`/\s+/`, String.raw`/(?<!\s)\s*,/`])
    expect(patternsIn(`text.split(${good})`)).toEqual([])
  const files = globSync('{contract,platform,BFF,server-kit,statistics}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => patternsIn(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`))
  expect(found).toEqual([])
})
