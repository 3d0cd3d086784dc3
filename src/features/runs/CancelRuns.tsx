import { Button, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { isTerminal, runStatuses } from '#contract/run-status.ts'
import type { RunRequest } from '#contract/runs.ts'
import { cancel } from '#src/api/runs.ts'
import { counted } from '#src/format/numbers.ts'
import { confirm } from '#src/ui/confirm.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

/** Cancels the chosen runs, or all that have not finished; says why when there is nothing to cancel. */
export function CancelRuns({ request, runIds }: { request: RunRequest; runIds?: readonly string[] }) {
  const canceling = useMutation({ mutationFn: () => cancel(request.id, runIds) })
  const { statusCounts } = request
  const unfinished = runStatuses.reduce((sum, status) => sum + (isTerminal(status) ? 0 : statusCounts[status]), 0)
  const many = runIds ? runIds.length : unfinished
  const why = unfinished === 0 ? 'Every run has finished' : many === 0 ? 'No unfinished run is chosen' : null
  const ask = () =>
    confirm({
      title: `Cancel ${counted(many, 'run')}?`,
      lost: `Runs that are under way stop where they are: their tests are not run and what their models cost so far is spent. Finished runs keep their results.`,
      verb: `Cancel ${counted(many, 'run')}`,
      onConfirm: () => canceling.mutate(),
    })
  return (
    <>
      <Tooltip label={why} disabled={why === null}>
        <Button
          variant="default"
          data-disabled={why !== null || undefined}
          aria-disabled={why !== null}
          loading={canceling.isPending}
          onClick={() => why === null && ask()}
        >
          {runIds ? `Cancel ${counted(many, 'chosen run')}` : 'Cancel all'}
        </Button>
      </Tooltip>
      {canceling.error && <ErrorNotice title="The runs were not canceled" error={canceling.error} />}
    </>
  )
}
