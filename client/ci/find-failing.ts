import { isSolved } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'
import { listTests } from '#contract/tests.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'

/** How many runs of some that have a result are solved. */
export type Solved = { solved: number; runs: number }

export type FailingVariant = {
  variantId: string
  now: Solved
  /** Null where the baseline has no results of the variant. */
  before: Solved | null
  failing: Run[]
  /** The tests that failed in one of its runs. */
  failedTests: string[]
}

const mostVariants = 50

/** The variants with runs that are not solved, the largest drop since the baseline first. */
export async function findFailing(
  caller: ApiCaller,
  runs: readonly Run[],
  baseline: readonly Run[],
): Promise<FailingVariant[]> {
  const earlier = Map.groupBy(baseline, ({ variantId }) => variantId)
  const variants = [...Map.groupBy(runs, ({ variantId }) => variantId)]
    .map(([variantId, own]) => {
      const before = countSolved(earlier.get(variantId) ?? [])
      const failing = own.filter((run) => isSolved(run, run.outcomes) === false)
      return { variantId, now: countSolved(own), before: before.runs === 0 ? null : before, failing }
    })
    .filter(({ failing }) => failing.length > 0)
    .toSorted((a, b) => dropOf(b) - dropOf(a))
    .slice(0, mostVariants)
  const found: FailingVariant[] = []
  for (const variant of variants) found.push({ ...variant, failedTests: await readFailed(caller, variant.failing) })
  return found
}

export function countSolved(runs: readonly Run[]): Solved {
  const known = runs.flatMap((run) => isSolved(run, run.outcomes) ?? [])
  return { solved: known.filter(Boolean).length, runs: known.length }
}

/** The share of solved runs, or null without results. */
export const shareOf = ({ solved, runs }: Solved) => (runs === 0 ? null : solved / runs)

export const dropOf = ({ now, before }: Pick<FailingVariant, 'now' | 'before'>) =>
  ((before && shareOf(before)) ?? 0) - (shareOf(now) ?? 0)

async function readFailed(caller: ApiCaller, [run]: readonly Run[]) {
  if (!run) return []
  const { tests } = await caller.call(listTests, { id: run.runId, omitTails: true })
  return tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored').map(({ testName }) => testName)
}
