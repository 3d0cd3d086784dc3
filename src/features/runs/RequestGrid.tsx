import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { runCan } from '#contract/run-status.ts'
import type { Run, RunRequest } from '#contract/runs.ts'
import { runListOptions } from '#src/api/runs.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { CancelRuns } from './CancelRuns.tsx'
import { GridSquare } from './GridSquare.tsx'
import { toRequestGrid, variantsToRepeat } from './request-grid.ts'
import classes from './RequestGrid.module.css'

/** More squares than this are no picture any more; the list below holds them all. */
const maxRuns = 2000
const noRuns: Run[] = []

/** Variants down, repeats across, one small square per run; squares become checkboxes to choose runs to cancel. */
export function RequestGrid({ request }: { request: RunRequest }) {
  const query = useInfiniteQuery(runListOptions({ runRequestId: request.id }, maxRuns))
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const runs = query.data?.pages[0]?.runs ?? noRuns
  const rows = useMemo(() => toRequestGrid(request.variantIds, request.repeat, runs), [request, runs])
  const cancelable = runs.filter(runCan.cancel)
  const toRepeat = variantsToRepeat(runs)
  const toggle = (ids: readonly string[]) =>
    setChosen((before) => {
      const isOn = ids.every((id) => before?.has(id))
      const rest = [...(before ?? [])].filter((id) => !ids.includes(id))
      return new Set(isOn ? rest : [...rest, ...ids])
    })
  if (query.error) return <ErrorNotice title="The grid could not be loaded" error={query.error} />
  return (
    <section className={classes.root} aria-label="Runs by variant and repeat">
      <div className={classes.tools}>
        <h2 className={classes.title}>Variants × repeats</h2>
        {request.runCount > maxRuns && <span>The newest {maxRuns} runs</span>}
        {chosen === null && cancelable.length > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => setChosen(new Set())}>
            Choose runs to cancel
          </Button>
        )}
        {chosen === null && toRepeat.length > 0 && (
          <TextLink
            href={paths.submit(request.experimentId, { version: request.experimentFingerprint, variant: toRepeat })}
          >
            Submit the {counted(toRepeat.length, 'variant')} that errored or timed out again
          </TextLink>
        )}
        {chosen !== null && (
          <>
            <CancelRuns
              request={request}
              runIds={cancelable.filter(({ runId }) => chosen.has(runId)).map(({ runId }) => runId)}
            />
            <Button variant="subtle" size="compact-xs" onClick={() => setChosen(null)}>
              Done
            </Button>
          </>
        )}
      </div>
      <div className={classes.scroller}>
        <table className={classes.grid}>
          <tbody>
            {rows.map(({ variantId, runs }) => (
              <tr key={variantId}>
                <th scope="row" title={variantId}>
                  {chosen === null ? (
                    variantId
                  ) : (
                    <button type="button" className={classes.choose} onClick={() => toggle(cancelableIds(runs))}>
                      {variantId}
                    </button>
                  )}
                </th>
                <td className={classes.squares}>
                  {runs.map((run, index) => (
                    <GridSquare
                      key={run?.runId ?? `${variantId} ${index}`}
                      run={run}
                      isChosen={chosen === null ? null : run !== undefined && chosen.has(run.runId)}
                      onChoose={() => run && toggle([run.runId])}
                    />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const cancelableIds = (runs: readonly (Run | undefined)[]) =>
  runs.flatMap((run) => (run && runCan.cancel(run) ? [run.runId] : []))
