// Fails when a document names a file that is not there (any more).
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { note, root } from './installed.mjs'

const generated = new Set(['dist', 'node_modules', 'test-results'])
const namedPath = /`#?([\w.@-]+(?:\/[\w.@[\]-]+)+\.\w+)(?::\d+)?`/g

const documents = ['ARCHITECTURE.md', 'README.md', ...markdownBelow('docs')].filter((path) =>
  existsSync(join(root, path)),
)
const missing = documents.flatMap(missingPaths)

for (const line of missing) note(line)
if (missing.length > 0) process.exitCode = 1

function missingPaths(document) {
  return readFileSync(join(root, document), 'utf8')
    .split('\n')
    .flatMap((line, index) => namedPaths(line).map((path) => ({ path, at: `${document}:${index + 1}` })))
    .filter(({ path }) => !existsSync(join(root, path)))
    .map(({ path, at }) => `${at} names ${path}, which does not exist`)
}

/** Paths that begin in one of our folders; others belong to somebody's experiment. */
function namedPaths(line) {
  return [...line.matchAll(namedPath)]
    .map(([, path]) => path)
    .filter((path) => {
      const [top] = path.split('/')
      return !top.startsWith('.') && !generated.has(top) && existsSync(join(root, top))
    })
}

function markdownBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}
