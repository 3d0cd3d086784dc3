import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

/** A pattern that may start at every blank of a run, and at each of them reads to the end of the run. */
const blanksBeforeEnd = /\/(?!\^)(?:\\.|[^/\\\n])*(?:\\s|\[ \\t\]|\[\\s[^\]]*\]| )[*+]\??\$\/[a-z]*/

const patternsIn = (source: string) => source.split('\n').filter((line) => blanksBeforeEnd.test(line))

test('no pattern searches for blanks at the end of a text, which takes quadratic time: trimEnd() does not', () => {
  for (const bad of [String.raw`/\s*!x\s*$/`, String.raw`/\s+$/g`, '/ *$/', String.raw`/[ \t]+$/u`])
    expect(patternsIn(`text.replace(${bad}, '')`)).toHaveLength(1)
  expect(patternsIn(String.raw`/^[a-z]+\s*$/.test(text)`)).toEqual([])
  const files = globSync('{contract,platform,BFF,server-kit,statistics}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => patternsIn(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`))
  expect(found).toEqual([])
})
