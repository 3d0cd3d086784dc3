/** What a verdict is about: the prompts that were run, or those of which they are a random sample. */
export type Scope = 'these prompts' | 'prompts like these'

export const scopes: readonly Scope[] = ['prompts like these', 'these prompts']

/** From so many matched prompts on, a verdict is about prompts like them unless it is asked for otherwise. */
const generalFrom = 8

/** The fewest prompts of which an outcome could be told from chance: five signs are all alike in 1 of 16 samples. */
export const fewestPrompts = 6

/** Prompts of which both groups have runs that count, and those of either group that were left out. */
export type PromptUse = {
  /** 0 where runs have no prompts. */
  used: number
  leftOut: number
  /** Whether runs are paired by prompt, and by more than one: without that, nothing is known of other prompts. */
  arePaired: boolean
}

type Cells = readonly { prompts: readonly (string | null)[] }[]

const promptsOf = (cells: Cells) => new Set(cells.flatMap(({ prompts }) => prompts))

const arePaired = (cells: Cells) => cells.every(({ prompts }) => prompts.length === 1) && promptsOf(cells).size > 1

export function scopeOf(matched: Cells, requested: Scope | null): Scope {
  if (!arePaired(matched)) return 'these prompts'
  return requested ?? (promptsOf(matched).size >= generalFrom ? 'prompts like these' : 'these prompts')
}

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
    arePaired: arePaired(matched),
  }
}
