import { afterAll, beforeAll, expect, test } from 'vitest'

import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { writeTranscript } from './write-transcript.ts'

let platform: TestPlatform
let path: string
beforeAll(async () => {
  platform = await openTestPlatform()
  await platform.request('POST', '/experiments', { yaml: twoByTwo('talks') })
  await platform.request('POST', '/experiments/talks/runs')
  const [run] = await claimRuns(platform.services.db, { workerId: 'worker', leaseSeconds: 60 }, 1)
  if (!run) throw new Error('nothing to claim')
  path = `/runs/${encodeURIComponent(run.compositeId)}`
  const place = { runId: run.id, attempt: run.attempt }
  const transcript = writeTranscript(platform.services, place, { format: 'assay-jsonl' })
  for (let index = 0; index < 700; index += 1) {
    const turn = { kind: index % 7 === 0 ? 'reasoning' : 'message', text: `turn ${index}` }
    await transcript.write(Buffer.from(`${JSON.stringify(turn)}\n`))
  }
  await transcript.close()
  await transcript.publish()
})
afterAll(() => platform.close())

const read = async (query = '') => (await platform.request('GET', `${path}?transcript=true${query}`)).json

test('a transcript page has 500 turns by default, 1 to 10,000 on request, and reports what it leaves out', async () => {
  const facts = { include_reasoning: false, total: 600, skipped_malformed: 0 }
  expect(await read()).toMatchObject({
    transcriptStatus: 'available',
    transcript: { ...facts, limit: 500, shown: 500, truncated: true },
  })
  expect(await read('&limit=1')).toMatchObject({ transcript: { ...facts, limit: 1, shown: 1, truncated: true } })
  const whole = await read('&limit=10000')
  expect(whole).toMatchObject({ transcript: { ...facts, limit: 10_000, shown: 600, truncated: false } })
  expect(whole.transcript.turns).toHaveLength(600)
})

test('a transcript contains the dialogue by default, and include=reasoning inserts the reasoning turns', async () => {
  const { transcript } = await read('&include=reasoning&limit=10000')
  expect(transcript).toMatchObject({ include_reasoning: true, shown: 700, total: 700 })
  expect(transcript.turns.map(({ seq }: { seq: number }) => seq)).toEqual(
    Array.from({ length: 700 }, (_, index) => index + 1),
  )
  const dialogue = (await read('&limit=10000')).transcript.turns
  expect(dialogue.some(({ kind }: { kind: string }) => kind === 'reasoning')).toBe(false)
})
