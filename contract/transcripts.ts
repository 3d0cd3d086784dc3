import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

export const TurnRole = z.enum(['system', 'user', 'assistant', 'tool'])
export const TurnKind = z.enum(['message', 'reasoning', 'tool_call', 'tool_result', 'output'])
export type TurnKind = z.infer<typeof TurnKind>

/**
 * One turn of a transcript. `tool` is the tool of a call or result; `failed` marks a result that reported an error. A call
 * and its result have the same `callId`. It is unique in the transcript, but absent where the agent prints no ids.
 * `parentCallId` is the call whose agent said or did this, such as a subagent. `summary` says what a call does in one line.
 */
export const Turn = z.object({
  seq: count,
  ts: Timestamp.nullable(),
  role: TurnRole,
  kind: TurnKind,
  text: z.string(),
  tool: z.string().optional(),
  failed: z.boolean().optional(),
  callId: z.string().optional(),
  parentCallId: z.string().optional(),
  summary: z.string().optional(),
})
export type Turn = z.infer<typeof Turn>

/**
 * `total` counts the turns of the requested kinds, `shown` those in the response. `missing_turns` counts turns after
 * `after_seq` that were recorded but are lost in storage (docs/api-choices/tests-transcripts.md).
 */
export const Transcript = z.object({
  turns: z.array(Turn),
  include_reasoning: z.boolean(),
  limit: z.int(),
  truncated: z.boolean(),
  shown: count,
  total: count,
  skipped_malformed: count,
  missing_turns: count.optional(),
})
export type Transcript = z.infer<typeof Transcript>
