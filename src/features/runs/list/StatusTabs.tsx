import { type RunStatus, runStatuses } from '#contract/run-status.ts'
import type { StatusCounts } from '#contract/runs.ts'
import { count } from '#src/format/numbers.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { runStatusMarks } from '#src/ui/status-marks.ts'
import classes from './StatusTabs.module.css'

type Props = {
  /** The number of runs per status under the other filters; undefined until the first response. */
  counts: StatusCounts | undefined
  chosen: readonly RunStatus[]
  hrefOf: (statuses: RunStatus[]) => string
}

/** One tab per status with its count. Empty tabs stay, so that the row does not jump. */
export function StatusTabs({ counts, chosen, hrefOf }: Props) {
  const total = counts && runStatuses.reduce((sum, status) => sum + counts[status], 0)
  return (
    <nav className={classes.tabs} aria-label="Runs by status">
      <Tab label="All" count={total} href={hrefOf([])} isCurrent={chosen.length === 0} />
      {runStatuses.map((status) => (
        <Tab
          key={status}
          {...runStatusMarks[status]}
          count={counts?.[status]}
          href={hrefOf([status])}
          isCurrent={chosen.includes(status)}
          hint={
            status === 'waiting_for_ci' ? 'Runs that wait until the image of their environment is built' : undefined
          }
        />
      ))}
    </nav>
  )
}

type TabProps = {
  label: string
  count?: number
  href: string
  isCurrent: boolean
  glyph?: string
  tone?: string
  hint?: string | undefined
}

const Tab = ({ label, count: value, href, isCurrent, glyph, tone, hint }: TabProps) => (
  <TextLink className={classes.tab} href={href} aria-current={isCurrent ? 'page' : undefined}>
    {glyph && (
      <span className={classes.glyph} data-tone={tone} aria-hidden>
        {glyph}
      </span>
    )}
    <span title={hint}>{label}</span> <span className={classes.count}>{value === undefined ? '' : count(value)}</span>
  </TextLink>
)
