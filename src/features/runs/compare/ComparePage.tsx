import { useQueries } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect } from 'react-router'

import { isSolved } from '#contract/outcomes.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { queryClient } from '#src/api/query-client.ts'
import { runOptions } from '#src/api/runs.ts'
import { ComparedCalls } from '#src/features/runs/calls/ComparedCalls.tsx'
import { PassingRuns } from '#src/features/runs/calls/PassingRuns.tsx'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { CompareActions } from './CompareActions.tsx'
import { ComparedChanges } from './ComparedChanges.tsx'
import { ComparedFacts } from './ComparedFacts.tsx'
import { ComparedTests } from './ComparedTests.tsx'
import { ComparedTranscripts } from './ComparedTranscripts.tsx'
import classes from './ComparePage.module.css'
import { RunChoice } from './RunChoice.tsx'

export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const ids = [query.get('left'), query.get('right')].filter((id) => id !== null)
  if (!query.get('left')) throw redirect(paths.runs())
  await Promise.all(ids.map((id) => queryClient.ensureQueryData(runOptions(id))))
  return null
}

/** Two runs side by side. The URL contains both. */
export function Component() {
  const url = useQueryState()
  const [leftId, rightId] = [url.one('left'), url.one('right')]
  const [{ data: left }, { data: right }] = useQueries({
    queries: [runOptions(leftId), { ...runOptions(rightId), enabled: rightId !== '' }],
  })
  if (!left) return null
  return (
    <>
      <title>{`Compare ${nameOfAxes(left.variantId)} #${left.repeat} · Assay`}</title>
      <PageHeader
        title="Compare two runs"
        facts={<span>{left.experimentName}</span>}
        actions={right && <CompareActions left={left} right={right} />}
      />
      <div className={classes.sides}>
        <RunChoice
          side="Left"
          run={left}
          among={left}
          other={rightId}
          onChoose={(id) => url.push({ left: id, leftTurn: null })}
        />
        <RunChoice
          side="Right"
          run={right ?? null}
          among={left}
          other={leftId}
          onChoose={(id) => url.push({ right: id, rightTurn: null })}
        />
      </div>
      {isSolved(left, left.outcomes) === false && (
        <PassingRuns key={left.id} run={left} onChoose={(id) => url.push({ right: id, rightTurn: null })} />
      )}
      {right ? (
        <>
          <ComparedFacts left={left} right={right} />
          <ComparedTests left={left} right={right} />
          <ComparedCalls left={left} right={right} />
          <ComparedChanges left={left} right={right} />
          <ComparedTranscripts left={left} right={right} />
        </>
      ) : (
        <EmptyState
          title="Choose a run to compare"
          hint="Compare a repeat to see noise, or another variant to see its effect."
        />
      )}
    </>
  )
}
