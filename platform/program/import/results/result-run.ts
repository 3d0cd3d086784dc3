import { z } from 'zod'

import { AxisId } from '#contract/task-fields.ts'
import { InfrastructureCause } from '#contract/infrastructure.ts'
import { Outcome } from '#contract/outcomes.ts'
import { RunScore } from '#contract/scores.ts'
import { TurnImage } from '#contract/transcript-images.ts'
import { UnknownLines } from '#contract/transcripts.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { Bytes } from '#platform/ground/content/content-job.ts'

const count = z.int().min(0)
const tokens = count.nullable()
const time = Timestamp.nullable()

const ResultTranscript = z.object({
  turns: z.array(
    z.object({
      lines: Bytes,
      turnCount: count,
      reasoningTurnCount: count,
      images: z.array(z.object({ image: TurnImage, bytes: Bytes })),
    }),
  ),
  skippedMalformed: count,
  unknownLines: UnknownLines.nullable(),
  evidenceSeq: count.nullable(),
  toolCalls: count.nullable(),
  toolFailures: count.nullable(),
})
export type ResultTranscript = z.infer<typeof ResultTranscript>

/** A run of another tool in our terms, checked: it comes from a process that read what strangers wrote. */
export const ResultRun = z.object({
  batch: z.object({ id: z.string(), file: z.string(), createdAt: time }),
  key: z.array(z.string()).min(1),
  file: z.string(),
  agent: AxisId,
  model: AxisId,
  prompt: AxisId,
  promptText: z.string(),
  repeat: z.int().min(1).max(1_000_000).nullable(),
  status: z.enum(['completed', 'errored', 'canceled']),
  reason: z.string().nullable(),
  timeLimitHit: z.boolean(),
  infrastructureCause: InfrastructureCause.nullable(),
  tests: z.array(
    z.object({
      name: z.string(),
      outcome: Outcome,
      durationMs: z.number().nullable(),
      stdoutTail: z.string(),
      stderrTail: z.string(),
    }),
  ),
  scores: z.array(RunScore),
  inputTokens: tokens,
  outputTokens: tokens,
  totalTokens: tokens,
  costUsd: z.number().min(0).nullable(),
  wallSeconds: z.number().min(0).nullable(),
  startedAt: time,
  endedAt: time,
  transcript: ResultTranscript.nullable(),
})
export type ResultRun = z.infer<typeof ResultRun>
