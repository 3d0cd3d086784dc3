import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

/** Programs set these for the processes that they start themselves. */
const internal = new Set(['ASSAY_PROGRAM', 'ASSAY_STARTER_PID', 'WATCH_REPORT_DEPENDENCIES'])

const read = (patterns: readonly string[]) =>
  globSync(patterns).flatMap((path) => (/\.test\.ts$|\/testing\//.test(path) ? [] : readFileSync(path, 'utf8')))

/** Names in a schema of settings, and names that are read from the environment itself. */
const inSchema = /^\s+([A-Z][A-Z0-9_]+): (?:z\.|[a-z]\w*[.(,])/gm
const inCode = /\benv(?:ironment)?(?:\.|\[')([A-Z][A-Z0-9_]+)/g

function findSettings() {
  const names = read(['platform/**/*.ts', 'BFF/**/*.ts', 'tools/*.mjs']).flatMap((text) => [
    ...(text.includes(`from 'zod'`) ? text.matchAll(inSchema) : []),
    ...text.matchAll(inCode),
  ])
  return new Set(names.map(([, name = '']) => name).filter((name) => !internal.has(name)))
}

test('every environment variable that a program of the project reads is documented', () => {
  const documents = read(['docs/**/*.md', 'CONTRIBUTING.md', 'README.md']).join('\n')
  const documented = new Set(documents.match(/\b[A-Z][A-Z0-9_]+\b/g))
  const settings = findSettings()
  for (const name of ['PORT', 'WORKER_SLOTS', 'OIDC_ISSUER', 'STRIPE_API_URL']) expect(settings).toContain(name)
  expect([...settings].filter((name) => !documented.has(name))).toEqual([])
})
