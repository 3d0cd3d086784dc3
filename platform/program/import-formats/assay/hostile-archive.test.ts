import { gunzipSync } from 'node:zlib'

import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { runSpans, runTraces } from '#platform/ground/database/tables/spans.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { runIdOf } from '#platform/program/imports/results/run-id.ts'
import { readSome } from '#platform/program/testing/read-some.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'

const { context, close } = await openTestContext()
const { folder, write, remove } = await writtenFiles()
afterAll(async () => {
  await close()
  await remove()
})

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const at = '2026-11-20T10:00:00.000001Z'
const values = {
  variantId: 'a',
  agent: 'a',
  agentMode: null,
  model: null,
  product: null,
  environment: null,
  prompt: null,
  imageDigest: null,
  repeat: 1,
  mock: false,
  status: 'completed',
  statusReason: null,
  infrastructureCause: null,
  agentExitCode: null,
  timeBudgetSeconds: null,
  timePlanCapSeconds: null,
  timeLimitHit: null,
  scores: [],
  testAware: false,
  testAwareEvidenceSeq: null,
  costUsd: null,
  spendKind: 'managed',
  wallSeconds: null,
  toolCalls: null,
  toolFailures: null,
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  modelCallCount: null,
  measuredCostUsd: null,
  hasEstimatedTokens: null,
  reportedCostUsd: null,
  reportedInputTokens: null,
  reportedOutputTokens: null,
  costLimitUsd: null,
  costLimitHit: null,
  skippedMalformed: 0,
  unknownLines: null,
  createdAt: at,
  startedAt: null,
  endedAt: at,
}
const archivedRun = (number: number, change: Record<string, unknown> = {}) => ({
  id: uuid(number),
  request: { id: uuid(900), createdAt: at },
  fingerprint: 'f',
  values,
  tests: [],
  segments: null,
  changes: null,
  ...change,
})
const head = (change: Record<string, unknown> = {}) => ({
  assayExperiment: 1,
  experimentId: 'mine',
  name: 'Mine',
  versions: [{ ordinal: 1, fingerprint: 'f', isLatest: true, files: [] }],
  ...change,
})
const yaml = 'id: mine\nname: Mine\nagents: [{id: a, command: ["true"]}]\n'
const lines = (runs: readonly unknown[]) => runs.map((run) => `${JSON.stringify(run)}\n`).join('')

async function writeArchive(name: string, runs: readonly unknown[], change: Record<string, unknown> = {}) {
  await write(`${name}/experiment.json`, head(change))
  await write(`${name}/versions/1.yaml`, yaml)
  await write(`${name}/runs/000001.jsonl`, lines(runs))
  return `${folder}/${name}`
}

test('values that no run has are left out with their line, and every other run comes in', async () => {
  const path = await writeArchive('values', [
    archivedRun(1),
    archivedRun(2, { values: { ...values, costUsd: -1 } }),
    archivedRun(3, { values: { ...values, agent: '../../etc' } }),
    archivedRun(4, { values: { ...values, status: 'running' } }),
    archivedRun(5, { values: { ...values, variantId: 'nobody' } }),
    { __proto__: null, id: 'x' },
    archivedRun(6, { fingerprint: 'other', request: { id: uuid(901), createdAt: at } }),
  ])
  const receipt = await importResults(context, { paths: [path], experimentId: 'values' })
  expect(receipt).toMatchObject({ imported: 1 })
  expect(receipt.leftOut.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('values.costUsd'),
    expect.stringContaining('values.agent'),
    expect.stringContaining('values.status'),
    expect.stringContaining('it is not a run of an export: id'),
    'its version of the experiment does not have its variant',
    'its version of the experiment does not have its variant',
  ])
})

test('files of a transcript that are no turns, no images or elsewhere do no harm', async () => {
  const id = uuid(1)
  await write(
    `parts/transcripts/${id}/1.jsonl`,
    `not json\n${JSON.stringify({ seq: 7, ts: null, role: 'user', kind: 'message', text: 'Hi', onclick: 'x', images: [{ id: `${'a'.repeat(64)}.png`, type: 'image/png', width: 1, height: 1, sizeBytes: 1 }] })}\n`,
  )
  await write(`parts/images/${id}/${'a'.repeat(64)}.png`, '<svg onload="x"/>')
  const path = await writeArchive('parts', [archivedRun(1, { segments: [1, 99], changes: { packs: 1 } })])
  const [run] = (await readSome([path])).runs
  expect(run?.transcript).toMatchObject({ skippedMalformed: 1, turns: [{ turnCount: 1, images: [] }] })
  const [turn] = Buffer.from(run?.transcript?.turns[0]?.lines ?? [])
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(turn).toEqual({ seq: 1, ts: null, role: 'user', kind: 'message', text: 'Hi', images: [] })
  expect(run?.changes).toBeNull()
})

test('lines of a trace that are not spans are left out and counted, and the run is imported with the others', async () => {
  const id = uuid(1)
  const span = {
    traceId: 'a'.repeat(32),
    spanId: '1'.repeat(16),
    parentSpanId: null,
    name: 'chat\0',
    category: 'model',
    service: null,
    scope: null,
    startedAt: at,
    durationMs: 1,
    status: 'ok',
    statusMessage: null,
    operation: null,
    model: null,
    tool: null,
    callId: null,
    inputTokens: null,
    outputTokens: null,
    attributes: [{ key: 'a', value: '\0' }],
    events: [],
    partsLeftOut: 0,
  }
  const bad = [
    { ...span, traceId: 'x' },
    { ...span, spanId: null },
    { ...span, startedAt: '+275760-09-13T00:00:00Z' },
    { ...span, durationMs: -1 },
    { ...span, category: 'x' },
    { ...span, inputTokens: 1e300 },
    { ...span, attributes: Array.from({ length: 65 }, () => span.attributes[0]) },
    { ...span, name: 'x'.repeat(2001) },
    [],
  ]
  const spans = [span, span, ...bad, { ...span, spanId: '2'.repeat(16), seq: 99, attempt: 7, runId: uuid(2) }]
  await write(`traced/traces/${id}/0001.jsonl`, `not json\n${lines(spans)}`)
  const before = [{ reason: 'Others\0', count: 1, example: 'x'.repeat(1000) }]
  const path = await writeArchive('traced', [archivedRun(1, { trace: { parts: 900, leftOut: before } })])
  expect(await importResults(context, { paths: [path], experimentId: 'traced' })).toMatchObject({ imported: 1 })
  const runId = runIdOf({ organizationId: context.organization.id, experimentId: 'traced' }, ['assay', id])
  const rows = await context.db.select().from(runSpans).where(eq(runSpans.runId, runId)).orderBy(runSpans.seq)
  expect(rows.map(({ seq, attempt, spanId, name }) => [seq, attempt, spanId[0], name])).toEqual([
    [1, 1, '1', 'chat\uFFFD'],
    [2, 1, '2', 'chat\uFFFD'],
  ])
  const [trace] = await context.db.select().from(runTraces).where(eq(runTraces.runId, runId))
  expect(trace?.leftOut).toEqual([
    { reason: 'Others\uFFFD', count: 1, example: 'x'.repeat(200) },
    { reason: 'Invalid, because it is not a span of an exported experiment', count: 10, example: null },
    { reason: 'The rest of the trace is not in the exported experiment, or is too long', count: 1, example: null },
  ])
})

test('changes whose places are not in their packs keep no content', async () => {
  const side = { kind: 'file', sizeBytes: 4, isExecutable: false, hasContent: true }
  const file = {
    path: '../../x',
    change: 'changed',
    isArtifact: false,
    isBinary: false,
    before: side,
    after: side,
    addedLines: 1,
    removedLines: 1,
    places: { before: { pack: 0, start: 0, length: 4 }, after: { pack: 0, start: -1, length: 1e9 } },
  }
  const id = uuid(1)
  await write(`changed/changes/${id}/manifest.json`, { files: [file], leftOut: [] })
  await write(`changed/changes/${id}/0.pack`, 'old\n')
  const path = await writeArchive('changed', [archivedRun(1, { changes: { packs: 1 } })])
  expect(await importResults(context, { paths: [path], experimentId: 'changed' })).toMatchObject({ imported: 1 })
  const [run] = (await readSome([path])).runs
  expect(JSON.parse(gunzipSync(run?.changes?.manifest ?? new Uint8Array()).toString())).toMatchObject({
    files: [{ before: { hasContent: true }, after: { hasContent: false }, places: { after: null } }],
  })
})

test('a package whose hash is another one, a definition that is none, and a second export are refused with the reason', async () => {
  const files = [{ dest: 'a', source: 'a', tarSha256: 'b'.repeat(64), sizeBytes: 3 }]
  const versions = [{ ordinal: 1, fingerprint: 'f', isLatest: true, files }]
  const path = await writeArchive('package', [archivedRun(1)], { versions })
  await write(`package/package/${'b'.repeat(64)}.tar`, 'xyz')
  await expect(importResults(context, { paths: [path], experimentId: 'package' })).rejects.toMatchObject({
    message: 'The package file "a" of the exported experiment is missing or damaged',
  })
  const other = await writeArchive('other', [archivedRun(1)])
  await write('other/versions/1.yaml', '[[[[[')
  await expect(importResults(context, { paths: [other], experimentId: 'other' })).rejects.toMatchObject({
    code: 'invalid_argument',
  })
  const both = await readSome([
    await writeArchive('both/a', [archivedRun(1)]),
    await writeArchive('both/b', [archivedRun(2)]),
  ])
  expect([both.runs.length, both.leftOut.map(({ reason }) => reason)]).toEqual([
    1,
    ['an import takes one exported experiment'],
  ])
})

test('files beside an export, and archives in it, are not read', async () => {
  const path = await writeArchive('alone', [archivedRun(1)])
  await write('alone/package/x.csv', 'agent,task,passed\na,b,true\n')
  await write('beside.csv', 'agent,task,passed\na,b,true\n')
  const { runs, leftOut } = await readSome([path, `${folder}/beside.csv`])
  expect([runs.length, leftOut.map(({ reason }) => reason)]).toEqual([
    1,
    ['an exported experiment is imported on its own'],
  ])
})
