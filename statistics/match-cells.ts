import { isSingle, type Stratum } from './precision.ts'
import { summarize } from './run-summary.ts'
import { type PromptUse, type Scope, scopeOf, tallyPrompts } from './scope.ts'

/**
 * One run of a group: its cell (every axis but the compared one), its prompt, the task of the prompt where any prompt names
 * its task, and its value, which is null if none was recorded.
 */
export type Observation = { cell: string; prompt?: string | null; task?: string | undefined; value: number | null }

/**
 * The runs of both groups in one cell, and their prompts. There are several prompts only if runs are not matched by
 * prompt.
 */
export type MatchedCell = {
  cell: string
  prompts: readonly (string | null)[]
  task?: string | undefined
  left: readonly number[]
  right: readonly number[]
}

/** How the comparison uses a group's runs. The counts add up to all of them. */
export type RunUse = {
  used: number
  /** Without a value. */
  missing: number
  /** In cells where the other group has no runs. */
  unmatched: number
  /** In the only cell with a single run of a group, which shows nothing about the spread of runs. */
  alone: number
}

export type Matching = {
  scope: Scope
  prompts: PromptUse
  cells: MatchedCell[]
  left: RunUse
  right: RunUse
}

/** Pairs the runs of two groups by cell, for the requested scope or else the one that the runs suggest. */
export function matchCells(
  left: readonly Observation[],
  right: readonly Observation[],
  requested: Scope | null = null,
): Matching {
  const matched = pairCells(left, right)
  const scope = scopeOf(matched, requested)
  const cells = scope === 'these prompts' ? withoutLoneCell(matched) : matched
  const tallyOf = (side: 'left' | 'right', observations: readonly Observation[]): RunUse => {
    const valued = observations.filter(({ value }) => value !== null).length
    const inMatched = matched.reduce((sum, cell) => sum + cell[side].length, 0)
    const used = cells.reduce((sum, cell) => sum + cell[side].length, 0)
    return {
      used,
      missing: observations.length - valued,
      unmatched: valued - inMatched,
      alone: inMatched - used,
    }
  }
  return {
    scope,
    prompts: tallyPrompts(matched, cells, [...left, ...right]),
    cells,
    left: tallyOf('left', left),
    right: tallyOf('right', right),
  }
}

export const toStratum = ({ left, right }: Pick<MatchedCell, 'left' | 'right'>): Stratum => ({
  left: summarize(left),
  right: summarize(right),
})

function withoutLoneCell(matched: MatchedCell[]) {
  const single = matched.filter((cell) => isSingle(toStratum(cell)))
  return single.length === 1 ? matched.filter((cell) => cell !== single[0]) : matched
}

function pairCells(left: readonly Observation[], right: readonly Observation[]): MatchedCell[] {
  const [leftCells, rightCells] = [valuesByCell(left), valuesByCell(right)]
  return [...leftCells].flatMap(([cell, { values, prompts, task }]) => {
    const others = rightCells.get(cell)
    if (!others) return []
    const shared = { cell, prompts: [...new Set([...prompts, ...others.prompts])], ...(task !== undefined && { task }) }
    return [{ ...shared, left: values, right: others.values }]
  })
}

function valuesByCell(observations: readonly Observation[]) {
  const cells = new Map<string, { values: number[]; prompts: Set<string | null>; task: string | undefined }>()
  for (const { cell, prompt = null, task, value } of observations) {
    if (value === null) continue
    const known = cells.get(cell) ?? { values: [], prompts: new Set(), task }
    known.values.push(value)
    known.prompts.add(prompt)
    cells.set(cell, known)
  }
  return cells
}
