import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import type { TranscriptFormat } from '#contract/definition.ts'
import { transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { claimRuns, type RunRow } from '#platform/queue/run-queue/claim-runs.ts'
import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import { findTestRun, openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { ContentStopped } from '#platform/ground/content/content-job.ts'
import { createMasker } from '#platform/inputs/secrets/masking/masker.ts'
import { readPrinted } from '#platform/program/testing/recordings.ts'
import { createOutputReader, type OutputReader } from './output-reader.ts'
import { readOutputApart } from './read-output-apart.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { leastThreadMs, measured } from '#tools/processor-time.ts'
import { readPage, readTranscript } from './read-transcript.ts'
import { type TranscriptWriter, writeTranscript } from './write-transcript.ts'

const definition = { id: 'talks', name: 'Talks', agents: [{ id: 'a', command: ['x'] }] }

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let run: RunRow
beforeAll(async () => {
  bench = await openTestRunEngine()
})
beforeEach(async () => {
  await submitTestRuns(bench.db, { definition })
  const [claimed] = await claimRuns(bench.db, { workerId: 'worker', leaseSeconds: 60 }, 1)
  if (!claimed) throw new Error('nothing to claim')
  run = claimed
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

const open = (format: TranscriptFormat = 'assay-jsonl') =>
  writeTranscript(bench.services, { runId: run.id, attempt: run.attempt }, { format, flushAfterMs: 30 })

async function read(query: { limit?: number; afterSeq?: number; includeReasoning?: boolean } = {}) {
  const row = await findTestRun(bench.db, run.id)
  return readTestTranscript(bench.services, row, { limit: 500, includeReasoning: false, ...query })
}

async function finish(transcript: TranscriptWriter) {
  await transcript.close()
  await transcript.publish()
}

const turnLine = (text: string, kind = 'message') => Buffer.from(`${JSON.stringify({ kind, text })}\n`)

const settle = (transcript: Awaited<ReturnType<ReturnType<typeof open>['close']>>) =>
  settleRun(
    bench.services,
    { ...run, runId: run.id },
    {
      status: 'completed',
      statusReason: null,
      tests: [],
      transcript,
      testAwareEvidenceSeq: null,
      wallSeconds: 1,
      heldSeconds: 1,
      timeBudgetSeconds: 60,
      timeLimitHit: false,
    },
  )

test('a printed time is that of its turn only if the turn can have happened then', async () => {
  const before = Date.now()
  const transcript = open()
  const printed = [before - 5000, before - 31 * 60_000, before + 3_600_000].map((at) => new Date(at).toISOString())
  for (const ts of printed) await transcript.write(Buffer.from(`${JSON.stringify({ text: 'x', ts })}\n`))
  await finish(transcript)
  const [near, earlier, later] = (await read())?.turns.map(({ ts }) => Date.parse(ts ?? '')) ?? []
  expect(near).toBe(before - 5000)
  for (const replaced of [earlier, later]) {
    expect(replaced).toBeGreaterThanOrEqual(before)
    expect(replaced).toBeLessThanOrEqual(Date.now())
  }
})

test('a transcript is unavailable until it is published, and available, even if empty, after the agent ends', async () => {
  expect(await read()).toBeNull()
  await finish(open())
  expect(await read()).toMatchObject({ turns: [], shown: 0, total: 0, truncated: false })
})

test('what is not published when a run is settled is published with it, and can be read at once', async () => {
  const transcript = writeTranscript(bench.services, { runId: run.id, attempt: run.attempt }, { format: 'assay-jsonl' })
  await transcript.write(turnLine('first'))
  await transcript.write(turnLine('thought', 'reasoning'))
  const end = await transcript.close()
  expect(await transcript.handOver()).toBe(false)
  expect(await bench.db.select().from(transcriptSegments)).toHaveLength(0)
  expect(await settle({ ...end, isPublished: false })).toBe(true)
  expect(await read()).toMatchObject({ turns: [{ text: 'first' }], shown: 1, total: 1 })
  expect(await findTestRun(bench.db, run.id)).toMatchObject({ turnCount: 2, reasoningTurnCount: 1 })
})

test('no turn is lost if the answer to a publication was lost after its commit', async () => {
  let isLost = false
  const db: Database = Object.create(bench.db, {
    transaction: {
      value: async (work: Parameters<Database['transaction']>[0]) => {
        const done = await bench.db.transaction(work)
        if (isLost) return done
        isLost = true
        throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
      },
    },
  })
  const attempt = { runId: run.id, attempt: run.attempt }
  const options = { format: 'assay-jsonl' as const, flushAfterMs: 1 }
  const transcript = writeTranscript({ ...bench.services, db }, attempt, options)
  await transcript.write(turnLine('first'))
  await expect.poll(() => isLost).toBe(true)
  await transcript.write(turnLine('second'))
  const end = await transcript.close()
  expect(await settle({ ...end, isPublished: await transcript.handOver() })).toBe(true)
  expect((await read())?.turns.map(({ text }) => text)).toEqual(['first', 'second'])
})

test('an abandoned run publishes what was said, and a worker that lost its run leaves no file', async () => {
  const stopped = new AbortController()
  const attempt = { runId: run.id, attempt: run.attempt }
  const options = { format: 'assay-jsonl' as const, abandoned: stopped.signal }
  const held = writeTranscript(bench.services, attempt, options)
  await held.write(turnLine('first'))
  await held.close()
  stopped.abort()
  expect(await held.handOver()).toBe(true)
  expect(await read()).toMatchObject({ turns: [{ text: 'first' }] })

  const late = writeTranscript(bench.services, { ...attempt, attempt: 7 }, options)
  await late.write(turnLine('too late'))
  const { segments } = await late.close()
  const written = [...segments]
  expect(await late.handOver()).toBe(false)
  for (const { blobKey } of written) expect(await bench.services.blobs.has(blobKey)).toBe(false)
  expect(written).toHaveLength(1)
})

test('deletes the transcript file when its run can no longer be settled', async () => {
  const transcript = writeTranscript(bench.services, { runId: run.id, attempt: 7 }, { format: 'assay-jsonl' })
  await transcript.write(turnLine('too late'))
  const end = await transcript.close()
  const isPublished = await transcript.handOver()
  const [segment] = end.segments
  expect(await bench.services.blobs.has(segment?.blobKey ?? '')).toBe(true)
  run = { ...run, attempt: 7 }
  expect(await settle({ ...end, isPublished })).toBe(false)
  expect(await bench.services.blobs.has(segment?.blobKey ?? '')).toBe(false)
})

test('turns can be read while the agent runs and after its worker was killed', async () => {
  const transcript = open()
  await transcript.write(turnLine('first'))
  await expect.poll(read).toMatchObject({ turns: [{ text: 'first' }] })
  await transcript.write(turnLine('second'))
  await expect.poll(() => read({ afterSeq: 1 })).toMatchObject({ turns: [{ text: 'second', seq: 2 }] })
  expect(await read()).toMatchObject({ shown: 2, total: 2 })
})

test('10,000 turns are written in segments and merged at the end, and any page can be read', async () => {
  const transcript = open()
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    turnLine(`turn ${index + 1}`, index % 10 === 0 ? 'reasoning' : 'message'),
  )
  const bytes = Buffer.concat(lines)
  for (let start = 0; start < bytes.byteLength; start += 7001)
    await transcript.write(bytes.subarray(start, start + 7001))
  const end = await transcript.close()
  await transcript.publish()
  const segments = await bench.db.select().from(transcriptSegments)
  expect(segments.length).toBeGreaterThan(10)
  expect(segments.length).toBeLessThanOrEqual(20)
  const page = { limit: 3, afterSeq: 4998, includeReasoning: false }
  const before = await read(page)
  expect(before).toMatchObject({ shown: 3, total: 9000, truncated: true })
  expect(before?.turns.map((turn) => turn.seq)).toEqual([4999, 5000, 5002])

  expect(await settle(end)).toBe(true)
  expect(await bench.db.select().from(transcriptSegments)).toHaveLength(1)
  expect(await read(page)).toEqual(before)
  const all = await read({ limit: 10_000, includeReasoning: true })
  expect(all).toMatchObject({ shown: 10_000, total: 10_000, truncated: false })
  expect(all?.turns.map((turn) => turn.seq)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1))
})

test('a page of 8 MiB takes little time of the thread that answers others', measured, async () => {
  const transcript = open()
  const lines = Array.from({ length: 9000 }, (_, index) => turnLine(`turn ${index} ${'[],"'.repeat(200)}`))
  await transcript.write(Buffer.concat(lines))
  expect(await settle(await transcript.close())).toBe(true)
  const row = await findTestRun(bench.db, run.id)
  const readText = () => readTranscript(bench.services, row, { limit: 10_000, includeReasoning: true })
  const page = await readText()
  if (!page) throw new Error('There is no transcript')
  expect(page.shown).toBeGreaterThan(5000)
  const parsing = await leastThreadMs(() => JSON.stringify(readPage(page)))
  // This thread copies the text, about half of that time. A page that it parsed would take both times.
  expect(await leastThreadMs(readText, 12)).toBeLessThan(parsing)
})

test('a turn of a megabyte is read back complete, and segments that are too large are not merged', async () => {
  const transcript = open()
  const text = 'ä'.repeat(512 * 1024)
  for (let index = 0; index < 10; index += 1) await transcript.write(turnLine(text))
  expect(await settle(await transcript.close())).toBe(true)
  const segments = await bench.db.select().from(transcriptSegments)
  expect(segments.length).toBe(2)
  const last = await read({ afterSeq: 9 })
  expect(last?.turns[0]?.text).toBe(text)
})

test('a page ends at 8 MiB even if its limit allows more turns, and the next page continues after its last turn', async () => {
  const transcript = open()
  const text = 'x'.repeat(3 * 1024 * 1024)
  for (let index = 0; index < 5; index += 1)
    await transcript.write(turnLine(text, index === 1 ? 'reasoning' : 'message'))
  await transcript.write(turnLine('😀'.repeat(2 * 1024 * 1024 + 1)))
  await finish(transcript)
  const pages: number[][] = []
  for (let afterSeq = 0, isMore = true; isMore;) {
    const page = await read({ limit: 10_000, afterSeq })
    pages.push(page?.turns.map((turn) => turn.seq) ?? [])
    expect(page).toMatchObject({ total: 5, shown: pages.at(-1)?.length })
    isMore = page?.truncated ?? false
    afterSeq = pages.at(-1)?.at(-1) ?? 0
  }
  expect(pages).toEqual([[1, 3], [4, 5], [6]])
})

test('a transcript of endless output stops at a limit and says so, so it cannot fill the disk', async () => {
  const attempt = { runId: run.id, attempt: run.attempt }
  const transcript = writeTranscript(bench.services, attempt, { format: 'text', maxBytes: 2000 })
  for (let index = 0; index < 100; index += 1) await transcript.write(Buffer.from(`${'x'.repeat(100)}\n`))
  await finish(transcript)
  const kept = await read()
  expect(kept?.total).toBeLessThan(20)
  expect(kept?.turns.at(-1)).toMatchObject({ role: 'system', text: expect.stringContaining('the rest is not stored') })
})

test('a transcript whose reader is stopped keeps what was read, says why, and knows no amounts', async () => {
  const attempt = { runId: run.id, attempt: run.attempt }
  const reader = createOutputReader({ format: 'assay-jsonl' })
  let chunks = 0
  const stopped = {
    ...reader,
    async read(chunk: Uint8Array) {
      chunks += 1
      if (chunks > 1) throw new ContentStopped('it needs more than 7 s of processor time')
      return reader.read(chunk)
    },
  }
  const transcript = writeTranscript(bench.services, attempt, { format: 'assay-jsonl', openReader: () => stopped })
  for (const text of ['I am being tested', 'second', 'third']) await transcript.write(turnLine(text))
  const end = await transcript.close()
  await transcript.publish()
  expect(chunks).toBe(2)
  expect(end).toMatchObject({ cutBecause: 'it needs more than 7 s of processor time' })
  expect(end.measures).toMatchObject({ toolCalls: null, costUsd: null })
  expect((await read())?.turns.map(({ seq, text }) => [seq, text])).toEqual([
    [1, 'I am being tested'],
    [2, 'The rest of the agent’s output could not be read: it needs more than 7 s of processor time.'],
  ])
})

test('the parts of a transcript are read each by itself, with one count of turns and one sum of usage', async () => {
  const transcript = open('claude-stream-json')
  const printed = readPrinted('claude-code', 'image')
  const alone = createOutputReader({ format: 'claude-stream-json' })
  alone.read(Buffer.from(printed))
  const once = alone.end()
  expect(await transcript.startPart('Step 1 of 2: one')).toBe(1)
  await transcript.write(Buffer.from(printed))
  const second = await transcript.startPart('Step 2 of 2: two')
  await transcript.write(Buffer.from(printed))
  const end = await transcript.close()
  await transcript.publish()
  const turns = (await read({ includeReasoning: true }))?.turns ?? []
  expect(turns.map(({ seq }) => seq)).toEqual(turns.map((_, index) => index + 1))
  expect(turns[second - 1]).toMatchObject({ role: 'system', text: 'Step 2 of 2: two' })
  expect(turns.length).toBe(2 * (second - 1))
  const idsOf = (some: typeof turns) => new Set(some.flatMap(({ callId }) => callId ?? []))
  const [first, other] = [idsOf(turns.slice(0, second)), idsOf(turns.slice(second))]
  expect(first.size).toBeGreaterThan(0)
  expect([...other].filter((id) => first.has(id))).toEqual([])
  expect(end.measures.toolCalls).toBe(2 * (once.tools.toolCalls ?? 0))
  expect(end.measures.inputTokens).toBe(2 * (once.usage.whole[0]?.inputTokens ?? 0))
})

test('another process reads an output as this one does, and masks its secrets', async () => {
  const last = '{"type":"result","result":"hunter2hunter2","total_cost_usd":2}\nno hunter2hunt'
  const printed = Buffer.from(`${readPrinted('claude-code', 'image')}\n${last}`)
  const secrets = [{ slug: 'door', value: 'hunter2hunter2' }]
  const here = createOutputReader({ format: 'claude-stream-json', mask: createMasker(secrets).text })
  const there = readOutputApart({ format: 'claude-stream-json', secrets })
  const readAll = async ({ read, end }: OutputReader) => {
    const chunks = [await read(printed.subarray(0, 50_000)), await read(printed.subarray(50_000))]
    const { turns: last, ...rest } = await end()
    const turns = [...chunks.flatMap(({ turns }) => turns), ...last]
    return {
      ...rest,
      text: Buffer.concat(turns.map(({ lines }) => lines))
        .toString()
        .replaceAll(/"ts":"[^"]*"/g, ''),
      count: turns.reduce((sum, { turnCount }) => sum + turnCount, 0),
      images: turns.flatMap(({ images }) => images.map(({ image }) => image)),
    }
  }
  const found = await readAll(there)
  there.close?.()
  expect(found).toEqual(await readAll(here))
  expect(found.text).toContain('[secret:door]')
  expect(found.images).toHaveLength(1)
  expect(found.usage.whole).not.toEqual([])
})

test('text is well formed even if an agent printed half a surrogate pair or a cut split one', async () => {
  const transcript = open()
  const tool = `\\udc00${'t'.repeat(300)}`
  await transcript.write(Buffer.from(`{"role":"assistant","kind":"tool_call","tool":"${tool}","text":"x \\ud800 y"}\n`))
  await transcript.write(turnLine(`x${'😀'.repeat(2 * 1024 * 1024)}`))
  await finish(transcript)
  const first = (await read())?.turns[0]
  expect(first).toMatchObject({ text: 'x \ufffd y', tool: `\ufffd${'t'.repeat(199)}` })
  const second = (await read({ afterSeq: 1 }))?.turns[0]
  expect(second?.text.slice(-9)).toBe('😀\ufffd\n[cut]')
})

test('malformed lines are counted and kept as they are', async () => {
  const transcript = open()
  await transcript.write(
    Buffer.from('{"text": "ok"}\nnot json\n{"role": "nobody", "text": ""}\n\n\u0000\n{"text": "cut of'),
  )
  await finish(transcript)
  const transcriptRead = await read()
  expect(transcriptRead).toMatchObject({ skipped_malformed: 4, unknown_lines: { count: 4, format: 'assay-jsonl' } })
  expect(transcriptRead?.turns.map(({ text, unknown }) => [text, unknown ?? false])).toEqual([
    ['ok', false],
    ['not json', true],
    ['{"role": "nobody", "text": ""}', true],
    ['\u0000', true],
    ['{"text": "cut of', true],
  ])
})

test('a worker that lost its attempt adds nothing, and the next attempt starts with an empty transcript', async () => {
  const transcript = open()
  await transcript.write(turnLine('of the first attempt'))
  await expect.poll(read).toMatchObject({ total: 1 })
  await reclaimLostRuns(bench.services, { workers: { workerIds: ['worker'] } })
  expect(await read()).toBeNull()
  await transcript.write(turnLine('too late'))
  const end = await transcript.close()
  expect(await settle(end)).toBe(false)
  expect(await bench.db.select().from(transcriptSegments)).toEqual([])
  expect(await findTestRun(bench.db, run.id)).toMatchObject({
    status: 'queued',
    turnCount: 0,
    transcriptPublished: false,
  })
})

test('a transcript with a lost segment says how many turns are missing and shows the others', async () => {
  const transcript = open()
  for (const text of ['one', 'two', 'three']) {
    await transcript.write(turnLine(text))
    await expect.poll(async () => (await read())?.turns.at(-1)?.text).toBe(text)
  }
  const end = await transcript.close()
  const [, second] = end.segments
  await bench.services.blobs.delete(second?.blobKey ?? '')
  const withGap = { turns: [{ text: 'one' }, { text: 'three' }], shown: 2, total: 3, missing_turns: 1 }
  expect(await read()).toMatchObject(withGap)
  expect(await settle(end)).toBe(true)
  expect(await read()).toMatchObject(withGap)
  expect(await read({ afterSeq: 2 })).not.toHaveProperty('missing_turns')
})

test('the output of an agent that printed nothing starts no process', async () => {
  // No process of other tests waits for a job.
  vi.resetModules()
  const { readOutputApart } = await import('./read-output-apart.ts')
  const { processStarter } = await import('#platform/ground/processes/process-starter.ts')
  const starts = vi.spyOn(await processStarter(), 'start')
  const silent = readOutputApart({ format: 'text', secrets: [] })
  expect(await silent.end()).toMatchObject({ turns: [], evidenceSeq: null })
  expect(starts).toHaveBeenCalledTimes(0)
  const speaking = readOutputApart({ format: 'text', secrets: [] })
  await speaking.read(Buffer.from('hello'))
  expect(starts).toHaveBeenCalledTimes(1)
  speaking.close?.()
})
