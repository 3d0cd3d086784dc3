import { type PromptTasks, tasksAmong } from '#contract/prompt-tasks.ts'
import { type DecisionDesign, groupOfVariant, type UntilDecided } from '#contract/until-decided.ts'
import type { Variant } from '#contract/variants.ts'
import { insertDecision } from './store.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'
import { maxRanked } from '#statistics/leaderboard/relate-rows.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { stoppingRule } from '#statistics/stopping/until-decided.ts'

/**
 * The design of a request of these variants, each with `repeat` runs. Errors: `invalid_argument` if the question is not
 * about groups that they make, or if no look would come before the end.
 */
export function makeDesign(
  wanted: UntilDecided,
  { variants, repeat, promptTasks }: { variants: readonly Variant[]; repeat: number; promptTasks: PromptTasks },
): DecisionDesign {
  const refuse = (field: string, message: string) => invalidFields([{ path: ['untilDecided', field], message }])
  const promptsOf = new Map<string, Set<string>>()
  for (const variant of variants) {
    const group = groupOfVariant(wanted.groupBy, variant)
    const prompts = promptsOf.get(group) ?? new Set()
    promptsOf.set(group, variant.prompt === null ? prompts : prompts.add(variant.prompt))
  }
  const known = [...promptsOf.keys()]
  const unknown = (wanted.between ?? []).filter((group) => !promptsOf.has(group))
  if (unknown.length > 0)
    throw refuse('between', `has no selected variant for ${quote(unknown)}; the selected groups are ${quote(known)}`)
  const groups = wanted.between ? [...wanted.between] : known
  if (wanted.between && new Set(groups).size < groups.length) throw refuse('between', 'must name two different groups')
  if (groups.length < 2)
    throw refuse('groupBy', `makes only the group ${quote(groups)}; the question needs at least two groups`)
  if (groups.length > maxRanked)
    throw refuse('groupBy', `makes ${groups.length} groups; a question can be about at most ${maxRanked}`)
  const [first = new Set<string>(), ...others] = groups.map((group) => promptsOf.get(group) ?? new Set<string>())
  const shared = others.reduce((all, prompts) => all.intersection(prompts), first)
  const { named, size: tasks } = tasksAmong(shared, promptTasks)
  const { fewestPrompts, earlyLevel, endLevel } = stoppingRule
  if (tasks <= fewestPrompts)
    throw refuse(
      'groupBy',
      `needs more than ${fewestPrompts} ${named.length > 0 ? 'tasks' : 'prompts'} that every group runs, because nothing is judged before ${fewestPrompts} are complete; there are ${tasks}`,
    )
  return {
    ...wanted,
    groups,
    fewestPrompts,
    earlyLevel,
    endLevel,
    promptCount: shared.size,
    ...(named.length > 0 && { promptTasks: named }),
    runCount: variants.length * repeat,
  }
}

/** Stores it in the transaction that queues the runs of the request. */
export const storeDesign = (tx: Database, requestId: string, design: DecisionDesign) =>
  insertDecision(tx, requestId, design)

const quote = (groups: readonly string[]) =>
  groups
    .slice(0, 20)
    .map((group) => `"${group}"`)
    .join(', ') + (groups.length > 20 ? ', …' : '')
