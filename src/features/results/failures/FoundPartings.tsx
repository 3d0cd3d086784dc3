import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { PartingList } from '#contract/partings.ts'
import { partingsOptions } from '#src/api/partings.ts'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { count, counted } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { partingColumns } from './parting-columns.tsx'
import classes from './Partings.module.css'

/** Later ones are of few runs. */
const shownPartings = 20

/** Failing runs, clustered by what they and their nearest passing runs do where they part. */
export function FoundPartings({ experiment, state }: PaneProps) {
  const parameters = withoutTestSearch(state.parameters)
  const query = useQuery({ ...partingsOptions(experiment.id, parameters), placeholderData: keepPreviousData })
  const { data, error, refetch, isFetching } = query
  const [isWhole, setWhole] = useState(false)
  if (error) return <ErrorNotice title="The runs could not be compared" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <>
        <p className={classes.lead}>
          Comparing the tool calls of failing and passing runs. Many runs take some seconds.
        </p>
        <LoadingArea label="Comparing" height={160} />
      </>
    )
  const shown = isWhole ? data.partings : data.partings.slice(0, shownPartings)
  const more = { pending: false, onMore: () => setWhole(true), readAll: async () => data.partings }
  return (
    <div aria-busy={isFetching} className={classes.found}>
      <PendingRuns count={data.pendingRuns ?? 0} refresh={refetch} />
      {data.comparedRuns > 0 && (
        <DataTable
          label="partings"
          filters={<p className={classes.lead}>{extentOf(data)}</p>}
          columns={partingColumns(data)}
          rows={shown}
          rowId={({ id }) => id}
          empty={{ title: 'No partings' }}
          more={shown.length < data.partings.length ? more : null}
        />
      )}
      {data.comparedRuns === 0 && !data.pendingRuns && data.uncompared.timeUp === 0 && (
        <EmptyState {...emptinessOf(data)} />
      )}
      {data.comparedRuns > 0 && <NotCompared list={data} />}
      {data.uncompared.timeUp > 0 && (
        <p className={mutedText.smallNote}>
          {`The time was up before ${counted(data.uncompared.timeUp, 'failing run')} could be compared.`}{' '}
          <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void refetch()}>
            Compare the rest
          </Button>
        </p>
      )}
    </div>
  )
}

const extentOf = ({ comparedRuns, failedRuns, comparedPrompts, passingRuns }: PartingList) =>
  `${count(comparedRuns)} of ${counted(failedRuns, 'failing run')} on ${counted(comparedPrompts, 'prompt')}, each beside the nearest of ${counted(passingRuns, 'passing run')}. Where they part is where to read first. It does not say why a run failed.`

/** Why some failing runs are in no row. */
function NotCompared({ list: { uncompared } }: { list: PartingList }) {
  const reasons = reasonsOf(uncompared)
  return reasons.length > 0 && <p className={mutedText.smallNote}>{`Not compared: ${reasons.join(', ')}.`}</p>
}

const reasonsOf = ({ withoutPassingRun, withoutCalls, beyondLimit, tooLarge }: PartingList['uncompared']) =>
  [
    [withoutPassingRun, 'without a passing run of the same prompt that called tools'],
    [withoutCalls, 'without tool calls'],
    [beyondLimit, 'beyond the limits of 8 for a prompt and 400 runs in all'],
    [tooLarge, 'with calls too long to compare'],
  ].flatMap(([runs, which]) => (Number(runs) > 0 ? [`${counted(Number(runs), 'failing run')} ${which}`] : []))

function emptinessOf({ failedRuns, uncompared }: PartingList) {
  if (failedRuns === 0) return { title: 'No failing runs', hint: 'Runs of infrastructure failures do not count.' }
  return {
    title: 'No failing run can be compared',
    hint: `${sentenceCase(reasonsOf(uncompared).join(', '))}. A failing run is compared once a run passes its prompt and both call tools.`,
  }
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
