import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Run, RunDetail } from '#contract/runs.ts'
import { variantTestOptions } from '#src/api/charts.ts'
import { variantRunsOptions } from '#src/api/runs.ts'
import type { TestsOfRuns } from './use-request-tests.ts'

/**
 * The tests of a request, and the repeats of this run's variant in other requests if the request has no other repeat.
 * Imported runs often have a request each.
 */
export function useVariantRepeats(requestTests: TestsOfRuns, run: RunDetail, testName: string) {
  const isAlone = isOnlyRepeat(requestTests, run)
  const list = useQuery({ ...variantRunsOptions(run), enabled: isAlone })
  const outcomes = useQuery({
    ...variantTestOptions(run.experimentId, {
      version: run.experimentFingerprint,
      variantId: run.variantId,
      testName,
    }),
    enabled: isAlone,
  })
  const [runs, tested] = [list.data?.runs, outcomes.data?.runs]
  const shown = useMemo(() => {
    if (!isAlone || !runs || !tested) return requestTests
    const tests = tested.map(({ id, outcome }) => ({ runId: id, testName, outcome }))
    return withRepeats(requestTests, { run, runs, tests })
  }, [isAlone, requestTests, run, runs, tested, testName])
  return { shown, isAlone }
}

const isOnlyRepeat = ({ isLoaded, groups }: TestsOfRuns, { variantId }: RunDetail) =>
  isLoaded && groups.find((group) => group.variantId === variantId)?.runs.length === 1

type Repeats = {
  run: Pick<Run, 'variantId'>
  runs: readonly Run[]
  tests: TestsOfRuns['tests']
}

/** Adds the runs of a variant in other requests to its group, in the order of their repeats. */
export function withRepeats(requestTests: TestsOfRuns, { run, runs, tests }: Repeats): TestsOfRuns {
  const known = new Set(requestTests.groups.flatMap((group) => group.runs.map(({ id }) => id)))
  const added = runs.filter(({ id }) => !known.has(id))
  const addedIds = new Set(added.map(({ id }) => id))
  return {
    ...requestTests,
    groups: requestTests.groups.map((group) =>
      group.variantId === run.variantId
        ? { ...group, runs: [...group.runs, ...added].toSorted((one, other) => one.repeat - other.repeat) }
        : group,
    ),
    tests: [...requestTests.tests, ...tests.filter(({ runId }) => addedIds.has(runId))],
  }
}
