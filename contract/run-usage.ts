import { z } from 'zod'

import { isSameModel } from './model-rules.ts'

const measured = z.number().min(0).nullable()

export const UsageAmounts = z.object({ inputTokens: measured, outputTokens: measured, costUsd: measured })
export type UsageAmounts = z.infer<typeof UsageAmounts>

/** A model that answered, as the agent reported it. Its cost is null if its price is unknown. */
export const AnsweringModel = UsageAmounts.extend({ model: z.string() })
export type AnsweringModel = z.infer<typeof AnsweringModel>

/**
 * What the agent reported of its usage: the models that answered, as far as it names them, and, where the run's own
 * amounts are unknown, what is known of them. `atLeast` is null if nothing is known, or everything.
 */
export const ReportedUsage = z.object({ models: z.array(AnsweringModel), atLeast: UsageAmounts.nullable() })
export type ReportedUsage = z.infer<typeof ReportedUsage>

/** Names that a client replaces by its newest model of a family. */
const families = new Set(['opus', 'sonnet', 'haiku', 'flash', 'pro'])

/** Without what names no model: the provider (`anthropic/…`) and the length of the context (`…[1m]`). */
const bare = (id: string) => id.replace(/^.*\//, '').replace(/\[[^\]]*\]$/, '')

const answersFor = (asked: string, answered: string) =>
  isSameModel(asked, answered) ||
  isSameModel(answered, asked) ||
  (families.has(asked) && answered.split('-').includes(asked))

/** The models that answered and are not the one that was asked for. Empty if none was asked for. */
export const otherModels = ({ models }: Pick<ReportedUsage, 'models'>, asked: string | null): string[] =>
  asked === null ? [] : models.map(({ model }) => model).filter((model) => !answersFor(bare(asked), bare(model)))
