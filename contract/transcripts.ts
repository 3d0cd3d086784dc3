import { z } from 'zod'

import { TurnImage } from './transcript-images.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

export const TurnRole = z.enum(['system', 'user', 'assistant', 'tool'])
export const TurnKind = z.enum(['message', 'reasoning', 'tool_call', 'tool_result', 'output'])
export type TurnKind = z.infer<typeof TurnKind>

/**
 * One turn of a transcript. `tool` is the tool of a call or result; `failed` marks a result that reported an error. A call
 * and its result have the same `callId`. It is unique in the transcript, but absent where the agent prints no ids.
 * `parentCallId` is the call whose agent said or did this, such as a subagent. `summary` says what a call does in one line.
 * `unknown` marks a line that the transcript format does not know, as the agent printed it.
 * `images` are the images of a message or a result, whose text names them (`[image/png, 140 kB]`).
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
  unknown: z.boolean().optional(),
  images: z.array(TurnImage).optional(),
})
export type Turn = z.infer<typeof Turn>

/**
 * Lines of the agent that the transcript format of the run does not know. `looks_like` is what most of them are: another
 * format, `codex-session` for a session file of Codex, or `gemini-json` for the output of `gemini --output-format json`.
 */
export const UnknownLines = z.object({ count, format: z.string(), looks_like: z.string().optional() })
export type UnknownLines = z.infer<typeof UnknownLines>

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
  unknown_lines: UnknownLines.optional(),
})
export type Transcript = z.infer<typeof Transcript>
