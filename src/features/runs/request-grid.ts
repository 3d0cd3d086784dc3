import type { Run } from '#contract/runs.ts'

export type GridRow = { variantId: string; runs: (Run | undefined)[] }

/** Variants down in the order they were submitted, repeats across; a run not yet loaded is undefined. */
export function toRequestGrid(variantIds: readonly string[], repeat: number, runs: readonly Run[]): GridRow[] {
  const rows = new Map(
    variantIds.map((variantId) => [variantId, Array.from({ length: repeat }, (): Run | undefined => undefined)]),
  )
  for (const run of runs) {
    const row = rows.get(run.variantId)
    if (row && run.repeat <= repeat) row[run.repeat - 1] = run
  }
  return [...rows].map(([variantId, runs]) => ({ variantId, runs }))
}

/** The variants with a run that errored or ran out of time: what is worth submitting again. */
export const variantsToRepeat = (runs: readonly Run[]) => [
  ...new Set(
    runs.filter(({ status, timeLimit }) => status === 'errored' || timeLimit?.hit).map(({ variantId }) => variantId),
  ),
]
