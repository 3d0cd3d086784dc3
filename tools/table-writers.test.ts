import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { expect, test } from 'vitest'

/** Tables that are not in the file of the noun that owns them. */
const ownerOf: Record<string, string> = {
  'analytics.ts': 'platform/analysis/projection',
  'packaged-tasks.ts': 'platform/inputs/experiments',
  'resources.ts': 'platform/inputs/experiments',
  'run-sources.ts': 'platform/program/imports/results',
}

/** Every other folder that writes a table, with the reason. */
const exceptions = [
  {
    folder: 'platform/queue/run-queue',
    tables: [
      'runRequests',
      'runs',
      'runStatusChanges',
      'ciBuilds',
      'capturedTests',
      'runServices',
      'runTraffic',
      'modelCalls',
      'runSpans',
      'runTraces',
      'analyticsOutbox',
    ],
    reason:
      'The queue is the rows of runs. The end of a run writes its tests and its outbox row in one transaction. Imported requests arrive with ended runs.',
  },
  {
    folder: 'platform/queue/transcripts',
    tables: ['runs', 'transcriptSegments'],
    reason: 'A transcript belongs to a run: its counts are on the row whose attempt fences the write.',
  },
  {
    folder: 'platform/people/notifications',
    tables: ['mailItems', 'webhookDeliveries'],
    reason:
      'A notification is queued for mail and webhooks in the transaction of its change. They send it and own the rows.',
  },
  {
    folder: 'platform/program/demo',
    tables: [
      'experiments',
      'experimentVersions',
      'contextSuggestions',
      'contextRecords',
      'notificationEntries',
      'notificationEvents',
      'creditPostings',
      'runUsage',
      'creditHolds',
      'creditEntries',
      'creditLots',
      'billingCycles',
      'creditAccounts',
      'users',
    ],
    reason: 'Removing the demo deletes rows that no route deletes, all in one transaction.',
  },
]

type Table = { owner: string; sqlName: string }

/** The tables by the names that TypeScript knows. */
function readTables() {
  const tables = new Map<string, Table>()
  for (const path of globSync('platform/ground/database/tables/*.ts')) {
    const file = basename(path)
    const [ofItsName = 'no folder'] = globSync(`platform/*/${basename(file, '.ts')}`)
    const owner = ownerOf[file] ?? ofItsName
    for (const [, name = '', sqlName = ''] of readFileSync(path, 'utf8').matchAll(/const (\w+) = pgTable\(\s*'(\w+)'/g))
      tables.set(name, { owner, sqlName })
  }
  return tables
}

const tables = readTables()
const namesInSql = new Map([...tables].map(([name, { sqlName }]) => [sqlName, name]))

/** The tables that a file inserts into, updates or deletes from, through drizzle or in SQL. */
function tablesWritten(text: string) {
  const calls = [...text.matchAll(/\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g)]
  const sql = [...text.matchAll(/\b(?:insert\s+into|update|delete\s+from|truncate)\s+(?:\$\{(\w+)\}|"?(\w+)"?)/gi)]
  const names = [...calls, ...sql].map(([, name, inSql = '']) => name ?? namesInSql.get(inSql) ?? '')
  return new Set(names.filter((name) => tables.has(name)))
}

const isWithin = (path: string, folder: string) => path.startsWith(`${folder}/`)

/** Why a file must not write what it writes. */
function findOffences(path: string, text: string) {
  const ofOthers = [...tablesWritten(text)].filter((name) => {
    const isException = exceptions.some((allowed) => isWithin(path, allowed.folder) && allowed.tables.includes(name))
    return !isException && !isWithin(path, tables.get(name)?.owner ?? '')
  })
  const isRenamed = /\{[^}]*\bas\b[^}]*\} from '#platform\/ground\/database\/tables\//.test(text)
  return [
    ...ofOthers.map((name) => `${path} writes ${name}, which belongs to ${tables.get(name)?.owner}`),
    ...(isRenamed ? [`${path} gives a table another name, which hides what it writes`] : []),
  ]
}

const sources = globSync('platform/**/*.ts', { exclude: ['**/*.test.ts', 'platform/program/testing/**'] }).map(
  (path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }),
)

test('a table is written only by the noun that owns it, or by a folder that the table of exceptions names', () => {
  expect(tables.size).toBeGreaterThan(30)
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.flatMap(({ path, text }) => findOffences(path, text))).toEqual([])
})

test('every owner is a folder, and every exception is in use', () => {
  const folderHas = (folder: string) => sources.some(({ path }) => isWithin(path, folder))
  expect([...tables.values()].map(({ owner }) => owner).filter((owner) => !folderHas(owner))).toEqual([])
  for (const { folder, tables: names } of exceptions) {
    const written = new Set(
      sources.filter(({ path }) => isWithin(path, folder)).flatMap(({ text }) => [...tablesWritten(text)]),
    )
    expect(names.filter((name) => !written.has(name))).toEqual([])
  }
})

test.for([
  [
    'platform/results/insights/store.ts',
    'await tx.insert(runs).values(rows)',
    'runs, which belongs to platform/queue/runs',
  ],
  [
    'platform/results/insights/store.ts',
    'await tx\n  .update(\n    users\n  )',
    'users, which belongs to platform/people/identity',
  ],
  ['platform/queue/runs/store.ts', 'tx.delete(creditHolds)', 'creditHolds, which belongs to platform/inputs/credits'],
  [
    'platform/queue/runs/store.ts',
    'sql`insert into ${runUsage} (run_id)`',
    'runUsage, which belongs to platform/inputs/credits',
  ],
  [
    'platform/queue/runs/store.ts',
    'sql`delete from audit_events`',
    'auditEvents, which belongs to platform/people/audit',
  ],
  [
    'platform/queue/transcripts/store.ts',
    'tx.insert(runRequests)',
    'runRequests, which belongs to platform/queue/runs',
  ],
  [
    'platform/queue/runs/store.ts',
    "import { users as people } from '#platform/ground/database/tables/identity.ts'",
    'another name',
  ],
])('%s is refused when it contains %s', ([path = '', text = '', offence = '']) => {
  expect(findOffences(path, text)).toEqual([expect.stringContaining(offence)])
})

test.for([
  ['platform/queue/runs/store.ts', 'tx.insert(runs)'],
  ['platform/inputs/credits/payments/store.ts', 'tx.update(checkoutSessions)'],
  ['platform/queue/run-queue/settle-run.ts', 'tx.insert(analyticsOutbox)'],
  ['platform/results/insights/store.ts', 'db.select().from(runs)'],
  ['platform/ground/blobs/folder-blobs.ts', 'known.delete(key)'],
])('%s may contain %s', ([path = '', text = '']) => {
  expect(findOffences(path, text)).toEqual([])
})
