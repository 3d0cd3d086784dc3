import { deflateSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { claimRuns, type RunRow } from '#platform/queue/run-queue/claim-runs.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import { findTestRun, openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { removeTranscripts } from './record-segments.ts'
import { readTurnImage, turnImageKey } from './turn-images.ts'
import { writeTranscript } from './write-transcript.ts'

const definition = { id: 'sees', name: 'Sees', agents: [{ id: 'a', command: ['x'] }] }

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

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  return Buffer.concat([frame.subarray(0, 4), body, crcOf(body)])
}

function crcOf(bytes: Buffer) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return sum
}

/** A PNG of one gray pixel, with a comment. */
function png(shade: number) {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const parts = [chunk('IHDR', header), chunk('tEXt', Buffer.from('Comment\0where it was taken'))]
  const pixels = chunk('IDAT', deflateSync(Buffer.from([0, shade])))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, ...parts, pixels, chunk('IEND', Buffer.alloc(0))]).toString('base64')
}

const imagePart = (data: string, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
const user = (content: unknown) => Buffer.from(`${JSON.stringify({ type: 'user', message: { content } })}\n`)
const result = (content: unknown) => user([{ type: 'tool_result', tool_use_id: 't', content }])

async function write(...chunks: Buffer[]) {
  const attempt = { runId: run.id, attempt: run.attempt }
  const transcript = writeTranscript(bench.services, attempt, { format: 'claude-stream-json', flushAfterMs: 30 })
  for (const bytes of chunks) await transcript.write(bytes)
  const end = await transcript.close()
  const ending = {
    status: 'completed' as const,
    statusReason: null,
    tests: [],
    transcript: end,
    testAwareEvidenceSeq: null,
    wallSeconds: 1,
    heldSeconds: 1,
    timeBudgetSeconds: 60,
    timeLimitHit: false,
  }
  await transcript.publish()
  await settleRun(bench.services, { ...run, runId: run.id }, ending)
  const row = await findTestRun(bench.db, run.id)
  return {
    row,
    turns: (await readTestTranscript(bench.services, row, { limit: 10_000, includeReasoning: true }))?.turns ?? [],
  }
}

test('an image of a result and of the user is stored, named in the text, and never base64 in it', async () => {
  const { row, turns } = await write(
    result([{ type: 'text', text: 'before' }, imagePart(png(1))]),
    user([imagePart(png(1)), { type: 'text', text: 'see image' }]),
  )
  expect(turns.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^before\n\[image\/png, \d+ B\]$/),
    expect.stringMatching(/^\[image\/png, \d+ B\]$/),
    'see image',
  ])
  const [image] = turns[0]?.images ?? []
  expect(image).toMatchObject({ type: 'image/png', width: 1, height: 1 })
  expect(turns[1]?.images).toEqual([image])
  const stored = await readTurnImage(bench.services, row, image?.id ?? '')
  expect(stored?.type).toBe('image/png')
  expect(Buffer.from(stored?.bytes ?? []).includes('where it was taken')).toBe(false)
})

test('an image is deleted with its transcript, also after its segments were merged', async () => {
  const lines = Array.from({ length: 600 }, (_, index) => user(`turn ${index}`))
  const { row, turns } = await write(result([imagePart(png(1))]), ...lines, result([imagePart(png(2))]))
  const keys = turns.flatMap(({ images = [] }) =>
    images.map(({ id }) => turnImageKey({ runId: run.id, attempt: run.attempt }, id)),
  )
  expect(keys).toHaveLength(2)
  expect((await bench.db.select().from(transcriptSegments)).flatMap(({ imageKeys }) => imageKeys)).toEqual(keys)
  const removed = await bench.db.transaction((tx) => removeTranscripts(tx, [row.id]))
  expect(removed).toEqual(expect.arrayContaining(keys))
  const after = await findTestRun(bench.db, run.id)
  expect(await readTurnImage(bench.services, after, turns[0]?.images?.[0]?.id ?? '')).toBeNull()
})

test('only what is a PNG, JPEG, WebP or GIF image is stored, whatever the agent calls it', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64')
  const { turns } = await write(
    result([imagePart(svg, 'image/svg+xml'), imagePart(svg), imagePart('AAAA'), imagePart(png(3).slice(0, 40))]),
    result([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' } }]),
  )
  expect(turns.some(({ images }) => images !== undefined)).toBe(false)
  expect(turns[0]?.text.split('\n')).toHaveLength(4)
  expect(turns[1]?.text).toBe('[application/pdf, 6 B]')
})

test('a transcript stores a hundred images, and names the others', async () => {
  const parts = Array.from({ length: 150 }, (_, shade) => imagePart(png(shade)))
  const { turns } = await write(result(parts), result([imagePart(png(0))]))
  expect(turns[0]?.images).toHaveLength(100)
  expect(turns[0]?.text.split('\n')).toHaveLength(150)
  expect(turns[1]?.images).toHaveLength(1)
})
