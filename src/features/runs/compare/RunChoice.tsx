import { Select } from '@mantine/core'

import type { Run, RunDetail } from '#contract/runs.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { runListOptions } from '#src/api/runs.ts'
import { paths } from '#src/paths.ts'
import { describeCounts, runStatusMarks } from '#src/ui/status-marks.ts'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './ComparePage.module.css'

type Props = {
  side: 'Left' | 'Right'
  run: RunDetail | null
  /** The run whose request provides the options. */
  among: RunDetail
  other: string
  onChoose: (id: string) => void
}

const maxRuns = 2000

/** Selects the run of one side from the same request. */
export function RunChoice({ side, run, among, other, onChoose }: Props) {
  const { firstPage } = useInfiniteList(runListOptions({ runRequestId: among.runRequestId }, maxRuns))
  const listed = firstPage?.runs ?? []
  // A link may name a run of another request; it stays selected.
  const runs = run && listed.every(({ id }) => id !== run.id) ? [run, ...listed] : listed
  const choices = runs.filter(({ id }) => id !== other).toSorted((a, b) => a.repeat - b.repeat)
  const isSame = ({ variantId }: Run) => variantId === among.variantId
  const groups = [
    { group: 'Repeats of the same variant', items: choices.filter(isSame).map(toOption) },
    { group: 'Other variants of the request', items: choices.filter((each) => !isSame(each)).map(toOption) },
  ]
  return (
    <div className={classes.choice}>
      <Select
        label={`${side} run`}
        placeholder="Choose a run"
        size="xs"
        searchable
        limit={200}
        allowDeselect={false}
        nothingFoundMessage="No matching runs in this request"
        data={groups.filter(({ items }) => items.length > 0)}
        value={run?.id ?? null}
        onChange={(id) => id !== null && onChoose(id)}
      />
      {run && (
        <p className={classes.chosen}>
          <StatusBadge status={run.status} reason={run.statusReason} />
          <TextLink href={paths.run(run.id)}>{`Open ${nameOfAxes(run.variantId)} #${run.repeat}`}</TextLink>
        </p>
      )}
    </div>
  )
}

const toOption = (run: Run) => ({
  value: run.id,
  label: `${nameOfAxes(run.variantId)} #${run.repeat} · ${run.status === 'completed' ? describeCounts(run.outcomes) : runStatusMarks[run.status].label.toLowerCase()}`,
})
