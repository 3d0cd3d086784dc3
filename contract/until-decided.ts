import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { PromptTasks } from './prompt-tasks.ts'
import { MaxCostUsd } from './task-fields.ts'
import type { Variant } from './variants.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const fieldOfAxis = {
  agent: 'agent',
  agent_mode: 'agentMode',
  model: 'model',
  product: 'product',
  environment: 'environment',
} as const satisfies Record<string, keyof Variant>

type Axis = keyof typeof fieldOfAxis
export const axesToDecide: readonly string[] = Object.keys(fieldOfAxis)
const isAxis = (text: string): text is Axis => Object.hasOwn(fieldOfAxis, text)

/** What the compared groups differ in: one axis of the experiment or several joined by `~`, such as `agent~model`. */
const GroupsBy = z
  .string()
  .refine((text) => text.split('~').every(isAxis) && new Set(text.split('~')).size === text.split('~').length, {
    error: `must be one of ${axesToDecide.join(', ')}, or several of these joined by "~", such as "agent~model"`,
  })

/** The group of a variant: its values of the axes, joined by `~`, as charts name it. A missing value is ''. */
export const groupOfVariant = (groupBy: string, variant: Record<(typeof fieldOfAxis)[Axis], string | null>) =>
  groupBy
    .split('~')
    .filter(isAxis)
    .map((axis) => variant[fieldOfAxis[axis]] ?? '')
    .join('~')

/**
 * Stops a request when its question is decided. `between`: the two groups of the question; without it, the question is which
 * group is best. `endUsd`: the request ends when its runs have cost so much, or else when all of them have ended.
 */
export const UntilDecided = z.object({
  groupBy: GroupsBy,
  between: z.tuple([z.string().max(1000), z.string().max(1000)]).optional(),
  endUsd: MaxCostUsd.optional(),
})
export type UntilDecided = z.infer<typeof UntilDecided>

const count = z.int().min(0)
const Interval = z.object({ low: z.number(), high: z.number() })

/** Left minus right, from −1 to 1. `pValue` accounts for the number of groups. */
const Comparison = z.object({
  left: z.string(),
  right: z.string(),
  difference: z.number(),
  pValue: z.number().nullable(),
  prompts: count,
})

/** Why no further run started: the question was decided, or the money was spent. */
export const StopReason = z.enum(['decided', 'money'])
export type StopReason = z.infer<typeof StopReason>

/** `when`: before the end, when all runs or the money were through, or when someone had canceled runs. */
export const Verdict = z.object({
  isDecided: z.boolean(),
  when: z.enum(['early', 'runs', 'money', 'canceled']),
  at: Timestamp,
  /** Absent if no prompt was complete. */
  comparison: Comparison.optional(),
})
export type Verdict = z.infer<typeof Verdict>

/** The design of a request, which never changes. */
export const DecisionDesign = UntilDecided.extend({
  groups: z.array(z.string()),
  fewestPrompts: count,
  earlyLevel: z.number(),
  endLevel: z.number(),
  /** The prompts on which every group has runs. */
  promptCount: count,
  /** The prompts among them that say which task they are a variant of. Absent if none does. */
  promptTasks: PromptTasks.optional(),
  runCount: count,
})
export type DecisionDesign = z.infer<typeof DecisionDesign>

/** What the first so many complete prompts say. `runs` and `costUsd` are those of these prompts, of every group of the request. */
export const DecisionLook = Comparison.extend({
  runs: count,
  costUsd: z.number(),
  /** Exclude zero exactly if `pValue` is below `earlyLevel`, and below `endLevel`. Null if no run varies. */
  earlyInterval: Interval.nullable(),
  endInterval: Interval.nullable(),
})
export type DecisionLook = z.infer<typeof DecisionLook>

/** The number of looks that are returned at most, evenly spread. */
export const maxDecisionLooks = 200

export const Decision = z.object({
  design: DecisionDesign,
  /** Absent while runs start, and if all of them started. */
  stopped: z.object({ reason: StopReason, at: Timestamp, canceledRuns: count }).optional(),
  /** Absent until it is known. */
  verdict: Verdict.optional(),
  /**
   * Complete prompts that count, those that do not (a run was canceled or cut by a budget, or a group has no run that
   * counts), and those of which stopping canceled a run.
   */
  completePrompts: count,
  skippedPrompts: count,
  canceledPrompts: count,
  endedRuns: count,
  spentUsd: z.number(),
  looks: z.array(DecisionLook),
  /** The runs that stopping saved, and what they would have cost, as the runs of their variants cost so far; null if unknown. */
  saved: z.object({ runs: count, costUsd: z.number().nullable() }),
})
export type Decision = z.infer<typeof Decision>

/** An addition to the API. */
export const getDecision = endpoint({
  name: 'runs.decision',
  method: 'GET',
  path: '/runs/:id/decision',
  summary: 'Get how far a request that stops when decided is from its decision',
  response: Decision,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
