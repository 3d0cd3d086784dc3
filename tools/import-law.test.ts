import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

type Sample = readonly [path: string, specifier: string]
type Diagnostic = { filename: string; code: string; help: string }

const oxlint = resolve('node_modules/.bin/oxlint')
const folder = mkdtempSync(join(tmpdir(), 'assay-import-law-'))

const forbidden: (readonly [...Sample, reason: string])[] = [
  ['contract/runs.ts', 'fastify', 'contract imports zod only'],
  ['contract/runs.ts', '#platform/queue/runs/store.ts', 'contract imports zod only'],
  ['statistics/student.ts', '#src/format/numbers.ts', 'statistics imports types of the contract only'],
  ['statistics/student.ts', 'd3-array', 'statistics imports types of the contract only'],
  ['statistics/student.ts', '#tools/test-length.ts', 'statistics imports types of the contract only'],
  ['statistics/student.test.ts', '#src/format/numbers.ts', 'what its folder may'],
  ['platform/queue/runs/cancel-runs.ts', '#platform/inputs/experiments/store.ts', 'A store is private to its folder'],
  [
    'platform/queue/runs/cancel-runs.ts',
    '#platform/inputs/credits/account-store.ts',
    'A store is private to its folder',
  ],
  [
    'platform/queue/runs/cancel-runs.ts',
    '#platform/inputs/credits/payments/store.ts',
    'A store is private to its folder',
  ],
  [
    'platform/queue/run-queue/settle-run.ts',
    '#platform/queue/transcripts/store.ts',
    'A store is private to its folder',
  ],
  ['platform/queue/runs/store.ts', '#platform/inputs/credits/store.ts', 'A store is private to its folder'],
  ['platform/queue/runs/runs.test.ts', '#platform/inputs/credits/store.ts', 'A store is private to its folder'],
  [
    'platform/program/testing/test-payments.ts',
    '#platform/inputs/credits/payments/store.ts',
    'A store is private to its folder',
  ],
  [
    'platform/queue/runs/cancel-runs.ts',
    '#platform/ground/database/tables/runs.ts',
    'SQL and tables belong in a store',
  ],
  ['platform/queue/runs/cancel-runs.ts', 'drizzle-orm', 'SQL and tables belong in a store'],
  ['platform/queue/runs/cancel-runs.ts', 'drizzle-orm/pg-core', 'SQL and tables belong in a store'],
  ['platform/queue/runs/cancel-runs.ts', '#src/paths.ts', 'platform shares the contract and server-kit'],
  ['platform/queue/runs/cancel-runs.ts', '../identity/whoami.ts', 'across folders #'],
  ['platform/inputs/credits/get-spend.ts', './payments/store.ts', 'across folders #'],
  ['contract/runs.ts', './wire/micros.ts', 'contract imports zod only'],
  ['BFF/api-proxy.ts', './oidc/people.ts', 'across folders #'],
  ['BFF/api-proxy.ts', '#platform/ground/failures/failure.ts', 'BFF shares the contract and server-kit'],
  ['BFF/testing/start-bff.ts', '../bff-config.ts', 'across folders #'],
  ['server-kit/limit-connections.ts', '#bff/bff-config.ts', 'server-kit knows neither server'],
  ['server-kit/limit-connections.ts', '#platform/ground/failures/failure.ts', 'server-kit knows neither server'],
  ['src/api/call.ts', '#server-kit/loopback.ts', 'src shares nothing but the contract'],
  ['src/api/call.ts', '#bff/bff-config.ts', 'src shares nothing but the contract'],
  ['src/features/runs/RunPage.tsx', '#src/features/secrets/SecretsPage.tsx', 'Features never import each other'],
  ['src/features/runs/run/RunHeader.tsx', '#src/features/secrets/SecretsPage.tsx', 'Features never import each other'],
  ['src/features/runs/RunPage.tsx', '#src/app/routes.tsx', 'nor the app that composes them'],
  ['src/shared/transcript/TranscriptPane.tsx', '#src/features/runs/RunPage.tsx', 'Features never import each other'],
  ['src/features/runs/RunPage.tsx', 'react-markdown', 'Import the house wrapper'],
  ['src/features/runs/RunPage.tsx', '@mantine/form', 'Import the house wrapper'],
  ['src/app/routes.tsx', '@uiw/react-codemirror', 'Only src/editor imports codemirror'],
  ['src/shared/clip/ClipDialog.tsx', '@mantine/form', 'Import the house wrapper'],
  ['src/ui/Button.tsx', '#src/api/runs.ts', 'router-free and data-free'],
  ['tools/thing.mjs', '../BFF/main.ts', 'across folders #'],
]

const allowed: Sample[] = [
  ['contract/runs.ts', 'zod'],
  ['contract/runs.ts', './endpoint.ts'],
  ['platform/queue/runs/cancel-runs.ts', '#contract/runs.ts'],
  ['statistics/leaderboard/trends.ts', '#contract/leaderboard.ts'],
  ['statistics/leaderboard/trends.ts', '#statistics/student.ts'],
  ['statistics/student.test.ts', '#tools/test-length.ts'],
  ['statistics/student.test.ts', '#tools/processor-time.ts'],
  ['contract/runs.test.ts', '#tools/processor-time.ts'],
  ['platform/queue/runs/cancel-runs.ts', '#statistics/compare-groups.ts'],
  ['platform/queue/runs/cancel-runs.ts', './store.ts'],
  ['platform/inputs/credits/open-account.ts', './account-store.ts'],
  ['platform/queue/runs/store.ts', 'drizzle-orm'],
  ['platform/queue/runs/store.ts', '#platform/ground/database/tables/identity.ts'],
  ['platform/inputs/credits/balance/spend-store.ts', '#platform/ground/database/tables/credits.ts'],
  ['platform/ground/database/clock.ts', 'drizzle-orm'],
  ['platform/queue/run-queue/claim-runs.ts', '#platform/ground/database/tables/runs.ts'],
  ['platform/queue/runs/runs.test.ts', '#platform/ground/database/tables/runs.ts'],
  ['platform/program/testing/finished-runs.ts', 'drizzle-orm'],
  ['platform/queue/runs/cancel-runs.ts', '#platform/inputs/experiments/load-version.ts'],
  ['BFF/api-proxy.ts', './bff-config.ts'],
  ['BFF/api-proxy.ts', '#server-kit/loopback.ts'],
  ['platform/ground/http/known-host.ts', '#server-kit/loopback.ts'],
  ['server-kit/limit-connections.ts', 'fastify'],
  ['src/features/runs/RunPage.tsx', '#src/ui/DataTable.tsx'],
  ['src/features/runs/run/RunHeader.tsx', '#src/features/runs/list/RunMarks.tsx'],
  ['src/editor/YamlEditor.tsx', '@uiw/react-codemirror'],
  ['src/forms/use-form.ts', '@mantine/form'],
]

const tables = '#platform/ground/database/tables/runs.ts'
const typesOfTables: Sample[] = [['platform/queue/runs/to-run.ts', tables]]
const valuesOfTables: Sample[] = [['platform/queue/runs/to-run.ts', tables]]

/** Two files that import each other's types. */
const cycles = ['statistics', 'src/features/runs/list', 'platform/queue/runs', 'BFF/oidc', 'contract', 'e2e', 'bench']

/** A folder of its own per sample, because several samples have the same path. */
const rootOf = (kind: string, index: number) => `${kind}-${index}`

function write(root: string, path: string, text: string) {
  const file = join(folder, root, path)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync('.oxlintrc.json', join(folder, root, '.oxlintrc.json'))
  writeFileSync(file, text)
}

const importing = (specifier: string) => `import { thing } from '${specifier}'\n\nexport const copy = [thing]\n`
const importingType = (specifier: string) => `import type { thing } from '${specifier}'\n\nexport type Copy = thing[]\n`

let diagnostics: Diagnostic[] = []

// One run of oxlint for all samples: starting it once for each would take most of the time.
beforeAll(() => {
  const writeAll = (
    kind: string,
    samples: readonly (readonly [...Sample, ...string[]])[],
    text: (specifier: string) => string,
  ) => {
    for (const [index, [path, specifier]] of samples.entries()) write(rootOf(kind, index), path, text(specifier))
  }
  writeAll('forbidden', forbidden, importing)
  writeAll('allowed', allowed, importing)
  writeAll('types-of-tables', typesOfTables, importingType)
  writeAll('values-of-tables', valuesOfTables, importing)
  for (const [index, inside] of cycles.entries()) {
    const root = rootOf('cycle', index)
    write(root, `${inside}/one.ts`, "import type { Two } from './two.ts'\n\nexport type One = Two[]\n")
    write(root, `${inside}/two.ts`, "import type { One } from './one.ts'\n\nexport type Two = One[]\n")
  }
  const { stdout } = spawnSync(oxlint, ['--deny-warnings', '--format=json', '.'], { cwd: folder, encoding: 'utf8' })
  const report: { diagnostics: Diagnostic[]; number_of_files: number } = JSON.parse(stdout)
  expect(report.number_of_files).toBe(forbidden.length + allowed.length + 2 + 2 * cycles.length)
  diagnostics = report.diagnostics
})
afterAll(() => rmSync(folder, { recursive: true }))

const diagnosticsOf = (kind: string, index: number) =>
  diagnostics.filter(({ filename }) => filename.startsWith(`${rootOf(kind, index)}/`))

test.for(forbidden.map(([path, specifier, reason], index) => [path, specifier, { reason, index }] as const))(
  '%s may not import %s',
  ([, , { reason, index }]) => {
    const found = diagnosticsOf('forbidden', index)
    expect(found.map(({ code }) => code)).toContain('eslint(no-restricted-imports)')
    expect(found.map(({ help }) => help).join('\n')).toContain(reason)
  },
)

test.for(allowed.map(([path, specifier], index) => [path, specifier, index] as const))(
  '%s may import %s',
  ([, , index]) => {
    expect(diagnosticsOf('allowed', index)).toEqual([])
  },
)

test('a verb may import the type of a row, and nothing else of a table', () => {
  expect(diagnosticsOf('types-of-tables', 0)).toEqual([])
  expect(diagnosticsOf('values-of-tables', 0)).toHaveLength(1)
})

test.for(cycles.map((inside, index) => [inside, index] as const))(
  'two files in %s may not import types of each other',
  ([, index]) => {
    expect(diagnosticsOf('cycle', index).map(({ code }) => code)).toEqual(['import(no-cycle)', 'import(no-cycle)'])
  },
)

/** Imports by `#…` of a file in the importing file's own folder. */
function aliasesOfOwnFolder(path: string, text: string) {
  return [...text.matchAll(/'(#[\w./-]+)'/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => posix.dirname(specifier.replace(/^#bff\//, '#BFF/').slice(1)) === posix.dirname(path))
}

test('a file imports files of its own folder by ./', () => {
  const paths = globSync('{platform,BFF,contract,server-kit,src,statistics,e2e,bench,tools}/**/*.{ts,tsx,mjs}', {
    exclude: ['tools/import-law.test.ts'],
  })
  expect(paths.length).toBeGreaterThan(1000)
  const found = paths.flatMap((path) =>
    aliasesOfOwnFolder(path, readFileSync(path, 'utf8')).map((specifier) => `${path} imports ${specifier}`),
  )
  expect(found).toEqual([])
})

test.for([
  ['BFF/api-proxy.ts', '#bff/bff-config.ts'],
  ['platform/queue/runs/cancel-runs.ts', '#platform/queue/runs/store.ts'],
  ['src/ui/Button.tsx', '#src/ui/Icon.tsx'],
])('the check reports that %s imports %s of its own folder by alias', ([path = '', specifier = '']) => {
  expect(aliasesOfOwnFolder(path, `import { thing } from '${specifier}'\n`)).toEqual([specifier])
  expect(aliasesOfOwnFolder(`other/${path}`, `import { thing } from '${specifier}'\n`)).toEqual([])
})
