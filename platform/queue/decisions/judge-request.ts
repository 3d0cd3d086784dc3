import { findTaskIn } from '#contract/prompt-tasks.ts'
import { type DecisionDesign, groupOfVariant } from '#contract/until-decided.ts'
import { type CompletePrompt, type EndState, judgeUntilDecided } from '#statistics/stopping/until-decided.ts'
import { summarizeSolved } from '#statistics/run-summary.ts'
import type { VariantCounts } from './store.ts'

type Prompt = {
  task: string | undefined
  place: string
  runs: number
  costUsd: number
  isPending: boolean
  isCut: boolean
  isStopped: boolean
  groups: Groups
}
type Groups = Map<string, { runs: number; solved: number }>

/**
 * Judges the question of a request by its complete prompts, in the order in which the queue started them. A prompt is
 * complete when all of its runs have ended. Looks stop at the first one that is not, so that quick prompts do not count
 * before slow ones. Prompts with canceled or cut runs, or without a run that counts in every group, are skipped, unless
 * stopping canceled one of their runs.
 */
export function judgeRequest(design: DecisionDesign, counts: readonly VariantCounts[]) {
  const { complete, ...otherPrompts } = findComplete(promptsOf(design, counts), design.groups)
  const sumOf = (name: 'runs' | 'ended' | 'canceled' | 'canceledByStop' | 'costUsd') =>
    counts.reduce((sum, variant) => sum + variant[name], 0)
  const [endedRuns, unfinished] = [sumOf('ended'), sumOf('runs') - sumOf('ended')]
  const isMoved = sumOf('canceled') > sumOf('canceledByStop') || sumOf('runs') < design.runCount
  const end: EndState = unfinished > 0 ? 'open' : isMoved ? 'moved' : 'reached'
  const { looks, verdict } = judgeUntilDecided(
    complete.map(({ summaries }) => summaries),
    end,
    design,
  )
  const found = looks.map((look, place) => ({
    look,
    runs: complete[place]?.runs ?? 0,
    costUsd: complete[place]?.costUsd ?? 0,
  }))
  return { looks: found, verdict, end, unfinished, endedRuns, ...otherPrompts, spentUsd: sumOf('costUsd') }
}

export type Judged = ReturnType<typeof judgeRequest>

function promptsOf({ groupBy, groups, promptTasks }: DecisionDesign, counts: readonly VariantCounts[]): Prompt[] {
  const [asked, findTask] = [new Set(groups), findTaskIn(promptTasks)]
  const prompts = new Map<string, Prompt>()
  for (const variant of counts) {
    if (variant.prompt === null) continue
    const prompt = prompts.get(variant.prompt) ?? {
      task: findTask(variant.prompt),
      place: variant.place,
      runs: 0,
      costUsd: 0,
      isPending: false,
      isCut: false,
      isStopped: false,
      groups: new Map(),
    }
    prompts.set(variant.prompt, prompt)
    if (variant.place < prompt.place) prompt.place = variant.place
    prompt.runs += variant.ended
    prompt.costUsd += variant.costUsd
    const group = groupOfVariant(groupBy, variant)
    if (!asked.has(group)) continue
    prompt.isPending ||= variant.ended < variant.runs
    prompt.isStopped ||= variant.canceledByStop > 0
    prompt.isCut ||= variant.canceled + variant.cut > 0
    const before = prompt.groups.get(group) ?? { runs: 0, solved: 0 }
    prompt.groups.set(group, { runs: before.runs + variant.counted, solved: before.solved + variant.solved })
  }
  return [...prompts.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

type Complete = { summaries: CompletePrompt; runs: number; costUsd: number }

/** Each with the runs and costs of all prompts until it. */
function findComplete(prompts: readonly Prompt[], groups: readonly string[]) {
  const complete: Complete[] = []
  let [runs, costUsd, skippedPrompts, canceledPrompts] = [0, 0, 0, 0]
  for (const prompt of prompts) {
    const counted = groups.map((group) => prompt.groups.get(group))
    if (counted.includes(undefined)) continue
    if (prompt.isPending) break
    runs += prompt.runs
    costUsd += prompt.costUsd
    const { task } = prompt
    const summaries = counted.flatMap((group) => (group && group.runs > 0 ? [summarizeSolved({ ...group, task })] : []))
    if (prompt.isStopped) canceledPrompts += 1
    else if (prompt.isCut || summaries.length < groups.length) skippedPrompts += 1
    else complete.push({ summaries, runs, costUsd })
  }
  return { complete, skippedPrompts, canceledPrompts }
}
