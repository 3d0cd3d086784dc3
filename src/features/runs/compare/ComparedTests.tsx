import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { removalText } from '#contract/retention.ts'
import { isImportedRun, isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { testListOptions } from '#src/api/tests.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import lists from '#src/ui/lists.module.css'
import { ComparedTest } from './ComparedTest.tsx'
import shared from './ComparePage.module.css'
import { joinTests } from './join-tests.ts'

/** The tests of both runs by name, different outcomes first. An open test shows both outputs. */
export function ComparedTests({ left, right }: { left: RunDetail; right: RunDetail }) {
  const url = useQueryState()
  const { data: lefts, error: leftError, refetch: refetchLeft } = useQuery(testsOf(left))
  const { data: rights, error: rightError, refetch: refetchRight } = useQuery(testsOf(right))
  const isSamePrompt = left.prompt === right.prompt
  const pairs = useMemo(
    () => (lefts && rights ? joinTests(lefts, rights, { isSamePrompt }) : null),
    [lefts, rights, isSamePrompt],
  )
  const error = leftError ?? rightError
  const differing = pairs?.filter(({ differs }) => differs).length ?? 0
  const open = url.one('test')
  return (
    <Section
      title="Tests"
      aside={pairs && <span className={shared.aside}>{`${differing} of ${pairs.length} differ`}</span>}
    >
      {error && (
        <ErrorNotice
          title="The tests could not be loaded"
          error={error}
          onRetry={() => void Promise.all([refetchLeft(), refetchRight()])}
        />
      )}
      {!pairs && !error && <Skeleton height={80} />}
      {pairs?.length === 0 && <EmptyState title="No test results in either run" />}
      <ul className={lists.lined}>
        {pairs?.map((pair) => (
          <ComparedTest
            key={pair.testName}
            pair={pair}
            isOpen={pair.testName === open}
            areImported={{ left: isImportedRun(left), right: isImportedRun(right) }}
            removed={{ left: removalText(left.removals, 'outputs'), right: removalText(right.removals, 'outputs') }}
            onToggle={() => url.set({ test: pair.testName === open ? null : pair.testName })}
          />
        ))}
      </ul>
    </Section>
  )
}

const testsOf = ({ id, status }: RunDetail) => testListOptions(id, { isLive: !isTerminal(status), runSeenAt: 0 })
