import type { z } from 'zod'

import { AnsweringModel, ReportedUsage, UsageAmounts } from '#contract/run-usage.ts'
import { TurnImage } from '#contract/transcript-images.ts'
import { Transcript, Turn, TurnKind, TurnRole, UnknownLines } from '#contract/transcripts.ts'

/** The schemas of transcripts, and of the usage that agents print in them. */
export const transcriptSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  Transcript: [Transcript, 'The recorded messages, tool calls and output of an agent.'],
  Turn: [Turn, 'One turn of a transcript.'],
  TurnImage: [TurnImage, 'An image of a turn.'],
  UnknownLines: [UnknownLines, 'Lines of an agent that its transcript format does not know.'],
  ReportedUsage: [ReportedUsage, 'What the agent of a run reported of its usage.'],
  AnsweringModel: [AnsweringModel, 'A model that answered, as the agent reported it.'],
  UsageAmounts: [UsageAmounts, 'Tokens and their cost.'],
  TurnKind: [TurnKind, 'The kind of a turn.'],
  TurnRole: [TurnRole, 'The author of a turn.'],
}
