import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { findMissingPaths } from './doc-paths.mjs'

function makeTree(files: Record<string, string>) {
  const base = mkdtempSync(join(tmpdir(), 'assay-doc-paths-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  return base
}

test('a document that names a missing file of the project is reported with its line', () => {
  const base = makeTree({ 'src/a.ts': '', 'docs/a.md': '# A\n\n`src/a.ts`, `src/b.ts`, `agents/c.sh`\n' })
  expect(findMissingPaths(base)).toEqual(['docs/a.md:3 names src/b.ts, which does not exist'])
})

test('a link to a missing document or a missing section is reported', () => {
  const base = makeTree({
    'README.md': '[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#two-words) [d](docs/a.md#none) [e](https://e.example)\n',
    'docs/a.md': '# A\n\n## Two words\n\n[up](../README.md) `[not](a-link)`\n',
  })
  expect(findMissingPaths(base)).toEqual([
    'README.md:1 links to docs/b.md, which does not exist',
    'README.md:1 links to docs/a.md#none, which does not exist',
  ])
})

test('a comment that cites a missing document is reported, and a string that names one is not', () => {
  const base = makeTree({
    'docs/a.md': '# A\n',
    'src/a.ts': "// See docs/a.md.\n/** As design.md says. */\nconst file = 'design.md'\n",
  })
  expect(findMissingPaths(base)).toEqual(['src/a.ts:2 cites design.md, which does not exist'])
})
