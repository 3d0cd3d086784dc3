import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { countOutcomes } from '#contract/outcomes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { testListOptions } from '#src/api/tests.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { failingFirst, needsALook, neighborFailure } from './test-order.ts'
import { TestItem } from './TestItem.tsx'
import classes from './TestsPane.module.css'

type Props = { run: RunDetail; isLive: boolean; runSeenAt: number }

/** The captured tests of a run, failing first; the URL says which one is open, else the first failure is. */
export function TestsPane({ run, isLive, runSeenAt }: Props) {
  const query = useQueryState()
  const { data, error, refetch } = useQuery(testListOptions(run.id, { isLive, runSeenAt }))
  const tests = useMemo(() => data && failingFirst(data), [data])
  const asked = query.one('test')
  const open = asked === '' ? tests?.find(needsALook)?.testName : asked
  const walk = (step: 1 | -1) => {
    const next = neighborFailure(tests ?? [], open ?? null, step)
    if (next) query.set({ test: next.testName })
    return next !== null
  }
  useShortcut('nextFailure', () => walk(1))
  useShortcut('previousFailure', () => walk(-1))
  return (
    <section className={classes.pane} aria-label="Tests">
      <header className={classes.header}>
        <h2 className={classes.title}>Tests</h2>
        {tests && tests.length > 0 && (
          <OutcomeBar counts={countOutcomes(tests.map(({ outcome }) => outcome))} text="counts" />
        )}
      </header>
      {error && <ErrorNotice title="The tests could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!tests && !error && <Skeleton height={120} m="xs" />}
      {tests?.length === 0 && (
        <EmptyState
          title="No test captured"
          hint={isLive ? 'Tests run when the agent has finished.' : 'This run ended before a test ran.'}
        />
      )}
      <ul className={classes.list}>
        {tests?.map((test) => (
          <TestItem
            key={test.testName}
            test={test}
            isOpen={test.testName === open}
            isAsked={test.testName === asked}
            onToggle={() => query.set({ test: test.testName === open ? 'none' : test.testName })}
          />
        ))}
      </ul>
    </section>
  )
}
