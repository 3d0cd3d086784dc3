import { VisuallyHidden } from '@mantine/core'

import { percent } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'
import type { GroupOnTask } from './measure-tasks.ts'
import classes from './tasks.module.css'

/** As many cells as a column has room for. */
const maxCells = 12

/** One cell for each group, filled by the share of its runs that solved the task. */
export function GroupStrip({ groups }: { groups: readonly GroupOnTask[] }) {
  const cells = groups.slice(0, maxCells)
  return (
    <span className={classes.strip}>
      {cells.map((cell) => (
        <span key={cell.group} className={classes.cell} title={inWords(cell)}>
          <VisuallyHidden>{inWords(cell)}. </VisuallyHidden>
          <span className={classes.fill} style={{ height: `${(100 * cell.solved) / cell.runs}%` }} aria-hidden />
        </span>
      ))}
      {groups.length > cells.length && <small className={mutedText.small}>+{groups.length - cells.length}</small>}
    </span>
  )
}

/** `careful: solved 3 of 5, 95 % CI 23 % to 88 %`. */
function inWords({ label, solved, runs, rate: { interval } }: GroupOnTask) {
  const range = interval ? `, 95 % CI ${percent(interval.low)} to ${percent(interval.high)}` : ''
  return `${label}: solved ${solved} of ${runs}${range}`
}
