import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

const oxlint = resolve('node_modules/.bin/oxlint')
const folder = mkdtempSync(join(tmpdir(), 'assay-import-law-'))

beforeAll(() => copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json')))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes one file with one import at a path that the import rules check. */
function lint(path: string, specifier: string, keyword: 'import' | 'import type' = 'import') {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  const use = keyword === 'import' ? 'export const copy = [thing]' : 'export type Copy = thing[]'
  writeFileSync(file, `${keyword} { thing } from '${specifier}'\n\n${use}\n`)
  const { status, stdout } = spawnSync(oxlint, ['--deny-warnings', path], { cwd: folder, encoding: 'utf8' })
  return { status, stdout }
}

test.for([
  ['contract/runs.ts', 'fastify', 'contract imports zod only'],
  ['contract/runs.ts', '#platform/runs/store.ts', 'contract imports zod only'],
  ['platform/runs/cancel-runs.ts', '#platform/experiments/store.ts', 'A store is private to its folder'],
  ['platform/runs/cancel-runs.ts', '#platform/credits/account-store.ts', 'A store is private to its folder'],
  ['platform/runs/cancel-runs.ts', '#platform/credits/payments/store.ts', 'A store is private to its folder'],
  ['platform/run-queue/settle-run.ts', '#platform/transcripts/store.ts', 'A store is private to its folder'],
  ['platform/runs/store.ts', '#platform/credits/store.ts', 'A store is private to its folder'],
  ['platform/runs/runs.test.ts', '#platform/credits/store.ts', 'A store is private to its folder'],
  ['platform/testing/test-payments.ts', '#platform/credits/payments/store.ts', 'A store is private to its folder'],
  ['platform/runs/cancel-runs.ts', '#platform/database/tables/runs.ts', 'SQL and tables belong in a store'],
  ['platform/runs/cancel-runs.ts', 'drizzle-orm', 'SQL and tables belong in a store'],
  ['platform/runs/cancel-runs.ts', 'drizzle-orm/pg-core', 'SQL and tables belong in a store'],
  ['platform/runs/cancel-runs.ts', '#src/paths.ts', 'platform shares nothing but the contract'],
  ['platform/runs/cancel-runs.ts', '../identity/whoami.ts', 'across folders #'],
  ['platform/credits/get-spend.ts', './payments/store.ts', 'across folders #'],
  ['contract/runs.ts', './wire/micros.ts', 'contract imports zod only'],
  ['BFF/api-proxy.ts', './oidc/people.ts', 'across folders #'],
  ['BFF/api-proxy.ts', '#platform/failures/failure.ts', 'BFF shares nothing but the contract'],
  ['BFF/testing/start-bff.ts', '../config.ts', 'across folders #'],
  ['src/api/call.ts', '#bff/config.ts', 'src shares nothing but the contract'],
  ['src/features/runs/RunPage.tsx', '#src/features/secrets/SecretsPage.tsx', 'Features never import each other'],
  ['src/features/runs/run/RunHeader.tsx', '#src/features/secrets/SecretsPage.tsx', 'Features never import each other'],
  ['src/features/runs/RunPage.tsx', '#src/app/routes.tsx', 'nor the app that composes them'],
  ['src/transcript/TranscriptPane.tsx', '#src/features/runs/RunPage.tsx', 'Features never import each other'],
  ['src/features/runs/RunPage.tsx', 'recharts', 'Import the house wrapper'],
  ['src/app/routes.tsx', '@uiw/react-codemirror', 'Only src/editor imports codemirror'],
  ['src/ui/Button.tsx', '#src/api/runs.ts', 'router-free and data-free'],
  ['tools/thing.mjs', '../BFF/main.ts', 'across folders #'],
])('%s may not import %s', ([path = '', specifier = '', reason = '']) => {
  const { status, stdout } = lint(path, specifier)
  expect(status).toBe(1)
  expect(stdout).toContain('no-restricted-imports')
  expect(stdout).toContain(reason)
})

test.for([
  ['contract/runs.ts', 'zod'],
  ['contract/runs.ts', './endpoint.ts'],
  ['platform/runs/cancel-runs.ts', '#contract/runs.ts'],
  ['platform/runs/cancel-runs.ts', './store.ts'],
  ['platform/credits/open-account.ts', './account-store.ts'],
  ['platform/runs/store.ts', 'drizzle-orm'],
  ['platform/runs/store.ts', '#platform/database/tables/identity.ts'],
  ['platform/credits/balance/spend-store.ts', '#platform/database/tables/credits.ts'],
  ['platform/database/clock.ts', 'drizzle-orm'],
  ['platform/run-queue/claim-runs.ts', '#platform/database/tables/runs.ts'],
  ['platform/runs/runs.test.ts', '#platform/database/tables/runs.ts'],
  ['platform/testing/finished-runs.ts', 'drizzle-orm'],
  ['platform/runs/cancel-runs.ts', '#platform/experiments/load-version.ts'],
  ['BFF/api-proxy.ts', './config.ts'],
  ['src/features/runs/RunPage.tsx', '#src/ui/DataTable.tsx'],
  ['src/features/runs/run/RunHeader.tsx', '#src/features/runs/list/RunMarks.tsx'],
  ['src/charts/Axis.tsx', 'recharts'],
  ['src/editor/YamlEditor.tsx', '@uiw/react-codemirror'],
])('%s may import %s', ([path = '', specifier = '']) => {
  expect(lint(path, specifier)).toMatchObject({ status: 0 })
})

/** Imports by `#…` of a file in the importing file's own folder. */
function aliasesOfOwnFolder(path: string, text: string) {
  return [...text.matchAll(/'(#[\w./-]+)'/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => posix.dirname(specifier.replace(/^#bff\//, '#BFF/').slice(1)) === posix.dirname(path))
}

test('a file imports files of its own folder by ./', () => {
  const paths = globSync('{platform,BFF,contract,src,e2e,bench,tools}/**/*.{ts,tsx,mjs}', {
    exclude: ['tools/import-law.test.ts'],
  })
  expect(paths.length).toBeGreaterThan(1000)
  const found = paths.flatMap((path) =>
    aliasesOfOwnFolder(path, readFileSync(path, 'utf8')).map((specifier) => `${path} imports ${specifier}`),
  )
  expect(found).toEqual([])
})

test.for([
  ['BFF/api-proxy.ts', '#bff/config.ts'],
  ['platform/runs/cancel-runs.ts', '#platform/runs/store.ts'],
  ['src/ui/Button.tsx', '#src/ui/Icon.tsx'],
])('the check reports that %s imports %s of its own folder by alias', ([path = '', specifier = '']) => {
  expect(aliasesOfOwnFolder(path, `import { thing } from '${specifier}'\n`)).toEqual([specifier])
  expect(aliasesOfOwnFolder(`other/${path}`, `import { thing } from '${specifier}'\n`)).toEqual([])
})

test('a verb may import the type of a row, and nothing else of a table', () => {
  const tables = '#platform/database/tables/runs.ts'
  expect(lint('platform/runs/to-run.ts', tables, 'import type')).toMatchObject({ status: 0 })
  expect(lint('platform/runs/to-run.ts', tables)).toMatchObject({ status: 1 })
})
