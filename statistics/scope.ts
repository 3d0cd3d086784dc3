/** The scope of a verdict: the prompts that ran, or all prompts of which they are a random sample. */
export type Scope = 'these prompts' | 'prompts like these'

export const scopes: readonly Scope[] = ['prompts like these', 'these prompts']

/**
 * With at least this many matched tasks, a verdict is about prompts like theirs unless the other scope is requested.
 * Each prompt is a task of its own unless it names one.
 */
const generalFrom = 8

/** The smallest number of tasks that can be significant: five differences have the same sign in 1 of 16 samples. */
export const fewestPrompts = 6

/** Prompts with counted runs in both groups, and the prompts of either group that were left out. */
export type PromptUse = {
  /** 0 if the runs have no prompts. */
  used: number
  leftOut: number
  /** The tasks of those that are used; absent if no prompt names its task. */
  tasks?: number
  /** True if runs are paired by prompts of more than one task. Otherwise nothing is known about other prompts. */
  arePaired: boolean
}

type Cells = readonly { prompts: readonly (string | null)[]; task?: string | undefined }[]

const promptsOf = (cells: Cells) => new Set(cells.flatMap(({ prompts }) => prompts))

const tasksOf = (cells: Cells) => new Set(cells.map(({ prompts, task }) => task ?? prompts[0]))

const arePaired = (cells: Cells) => cells.every(({ prompts }) => prompts.length === 1) && tasksOf(cells).size > 1

export function scopeOf(matched: Cells, requested: Scope | null): Scope {
  if (!arePaired(matched)) return 'these prompts'
  return requested ?? (tasksOf(matched).size >= generalFrom ? 'prompts like these' : 'these prompts')
}

/**
 * One scope for all pairs of some groups, from the number of tasks that each has runs on: the requested one, or else
 * prompts like these if every group has enough. Groups with a single task say nothing about other prompts.
 */
export function scopeOfGroups(taskCounts: readonly number[], requested: Scope | null): Scope {
  if (!areAboutPrompts(taskCounts)) return 'these prompts'
  return requested ?? (Math.min(...taskCounts) >= generalFrom ? 'prompts like these' : 'these prompts')
}

export const areAboutPrompts = (taskCounts: readonly number[]) =>
  taskCounts.length > 0 && taskCounts.every((tasks) => tasks > 1)

export function tallyPrompts(
  matched: Cells,
  used: Cells,
  observations: readonly { prompt?: string | null }[],
): PromptUse {
  const counted = promptsOf(used)
  const known = new Set(observations.map(({ prompt = null }) => prompt))
  const hasNames = [...known].some((prompt) => prompt !== null)
  return {
    used: hasNames ? counted.size : 0,
    leftOut: hasNames ? known.size - counted.size : 0,
    ...(used.some(({ task }) => task !== undefined) && { tasks: tasksOf(used).size }),
    arePaired: arePaired(matched),
  }
}
