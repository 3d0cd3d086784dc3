import { z } from 'zod'

import { AxisId } from '#contract/task-fields.ts'
import { InfrastructureCause } from '#contract/infrastructure.ts'
import { Outcome } from '#contract/outcomes.ts'
import { RunScore } from '#contract/scores.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { ArchivedValues } from '#platform/program/import-formats/reading/archive-format.ts'
import { StoredChanges, StoredTrace, StoredTranscript } from '#platform/program/import-formats/reading/stored-parts.ts'

const count = z.int().min(0)
const tokens = count.nullable()
const time = Timestamp.nullable()

/** A run of another tool in our terms, checked: it comes from a process that read what strangers wrote. */
export const ResultRun = z.object({
  batch: z.object({ id: z.string(), file: z.string(), createdAt: time }),
  key: z.array(z.string()).min(1),
  file: z.string(),
  tool: z.string(),
  toolVersion: z.string().nullable(),
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
      exitCode: z.int().nullable(),
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
  transcript: StoredTranscript.nullable(),
  /** Of a run of Assay: its version and its values. */
  archived: z.object({ fingerprint: z.string(), values: ArchivedValues }).nullable(),
  changes: StoredChanges.nullable(),
  trace: StoredTrace.nullable(),
})
export type ResultRun = z.infer<typeof ResultRun>
