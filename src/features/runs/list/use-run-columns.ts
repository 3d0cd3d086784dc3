import { useMemo } from 'react'

import type { RunSortField } from '#contract/run-list.ts'
import type { Run } from '#contract/runs.ts'
import { maxScores, type ScoreMeasure } from '#contract/scores.ts'
import type { Column } from '#src/ui/table/column.ts'
import { runColumns, scoreColumn } from './run-columns.tsx'

type Options = {
  /** Columns that would be the same in each row. */
  hidden: readonly string[]
  /** The names of all known scores, and of those that the URL names. */
  scores: readonly string[]
  named: readonly string[]
}

/** The names of the scores of some runs and of others, in order. */
export const scoreNames = (rows: readonly Run[], others: readonly string[]) =>
  [...new Set([...others, ...rows.flatMap(({ scores }) => scores?.map(({ name }) => name) ?? [])])]
    .toSorted()
    .slice(0, maxScores)

/**
 * The columns of a list of runs. It shows the scores that the URL names. If it names none, a list of one experiment
 * shows the first score. The others can be chosen.
 */
export function useRunColumns({ hidden, scores, named }: Options) {
  // Rows are new at each poll, but their names are the same.
  const key = JSON.stringify([scores, named])
  return useMemo(() => {
    const [known, shown] = JSON.parse(key) as [string[], string[]]
    const first = hidden.length > 0 && shown.length === 0 ? known[0] : undefined
    const shownOf = (name: string) => (shown.includes(name) ? 'from sm' : name === first ? 'from md' : 'optional')
    const columns: Column<Run, RunSortField | ScoreMeasure>[] = runColumns.filter(({ id }) => !hidden.includes(id))
    const place = columns.findIndex(({ id }) => id === 'tests') + 1
    const ofScores = known.map((name) => scoreColumn(name, shownOf(name)))
    return columns.toSpliced(place, 0, ...ofScores)
  }, [hidden, key])
}
