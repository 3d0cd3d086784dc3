import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { isTerminal, runCan } from '#contract/run-status.ts'
import type { Run, RunRequest } from '#contract/runs.ts'
import { paths } from '#src/paths.ts'
import { CancelRuns } from './CancelRuns.tsx'
import classes from './RequestGrid.module.css'

type Props = {
  request: RunRequest
  /** In the order of the grid: variants as rows, repeats as columns. */
  chosen: readonly Run[]
  isCancelable: boolean
  onDone: () => void
}

/** Actions for the selected squares: cancel unfinished runs or compare two finished ones. */
export function SelectedRuns({ request, chosen, isCancelable, onDone }: Props) {
  const [left, right] = chosen
  const isPair = chosen.length === 2 && chosen.every(({ status }) => isTerminal(status))
  return (
    <>
      {isCancelable && (
        <CancelRuns
          request={request}
          runUuids={chosen.filter(runCan.cancel).map(({ runUuid }) => runUuid)}
          onDone={onDone}
        />
      )}
      {isPair && left && right && (
        <Button component={Link} to={paths.compare({ left: left.id, right: right.id })}>
          Compare runs
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" onClick={onDone}>
        Done
      </Button>
      <span className={classes.hint}>
        {isPair ? '' : 'Select runs to cancel, or two finished runs to compare. '} Click, drag or Shift-click; arrow
        keys and Space work too.
      </span>
    </>
  )
}
