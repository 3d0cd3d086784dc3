/** One run of a group: the cell it stands in (every axis but the compared one) and its value; null where none was recorded. */
export type Observation = { cell: string; value: number | null }

/** The runs of both groups in one cell. */
export type MatchedCell = { cell: string; left: readonly number[]; right: readonly number[] }

/** What became of a group's runs; together they are all of them. */
export type RunUse = {
  used: number
  /** Without a value. */
  missing: number
  /** In cells where the other group has none, so nothing to compare them with. */
  unmatched: number
  /** In the one cell that holds a single run of a group, which says nothing of how much runs vary. */
  alone: number
}

export type Matching = { cells: MatchedCell[]; left: RunUse; right: RunUse }

/** Pairs the runs of two groups by cell. */
export function matchCells(left: readonly Observation[], right: readonly Observation[]): Matching {
  const leftCells = valuesByCell(left)
  const rightCells = valuesByCell(right)
  const matched = [...leftCells].flatMap(([cell, values]) => {
    const others = rightCells.get(cell)
    return others ? [{ cell, left: values, right: others }] : []
  })
  const single = matched.filter(isSingle)
  const cells = single.length === 1 ? matched.filter((cell) => !isSingle(cell)) : matched
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
  return { cells, left: tallyOf('left', left), right: tallyOf('right', right) }
}

export const isSingle = ({ left, right }: MatchedCell) => left.length === 1 || right.length === 1

function valuesByCell(observations: readonly Observation[]) {
  const cells = new Map<string, number[]>()
  for (const { cell, value } of observations) {
    if (value === null) continue
    const values = cells.get(cell)
    if (values) values.push(value)
    else cells.set(cell, [value])
  }
  return cells
}
