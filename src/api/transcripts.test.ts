import { expect, test } from 'vitest'

import type { RunOrRequest } from '#contract/runs.ts'
import type { Turn } from '#contract/transcripts.ts'
import { append } from './transcripts.ts'

const turn = (seq: number): Turn => ({ seq, ts: null, role: 'assistant', kind: 'message', text: `turn ${seq}` })

const response = (seqs: number[], more: { total?: number; truncated?: boolean } = {}): RunOrRequest => ({
  transcriptStatus: 'available',
  transcript: {
    turns: seqs.map(turn),
    include_reasoning: false,
    limit: 500,
    truncated: more.truncated ?? false,
    shown: seqs.length,
    total: more.total ?? seqs.length,
    skipped_malformed: 1,
  },
})

test('new turns join the known turns, each exactly once', () => {
  const first = append(undefined, response([1, 2], { total: 4, truncated: true }))
  expect(first).toMatchObject({ total: 4, hasMore: true, skippedMalformed: 1 })
  const second = append(first, response([2, 3, 4], { total: 4 }))
  expect(second.turns.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(second.hasMore).toBe(false)
})

test('a response without new turns keeps the same objects, so nothing is rendered again', () => {
  const known = append(undefined, response([1]))
  expect(append(known, response([], { total: 1 })).turns).toBe(known.turns)
})

test('a transcript that was never published differs from an empty one', () => {
  expect(append(undefined, { transcriptStatus: 'unavailable' })).toMatchObject({ isAvailable: false, turns: [] })
  expect(append(undefined, response([]))).toMatchObject({ isAvailable: true, turns: [] })
})

test('lost turns are counted once, however often the page polls', () => {
  const withLoss = (seqs: number[], missing: number): RunOrRequest => {
    const { transcript, ...rest } = response(seqs)
    return { ...rest, transcript: transcript && { ...transcript, missing_turns: missing } }
  }
  const first = append(undefined, withLoss([1, 4], 2))
  expect(first.missing).toBe(2)
  expect(append(first, withLoss([], 3)).missing).toBe(2)
  expect(append(first, withLoss([8], 3)).missing).toBe(5)
})
