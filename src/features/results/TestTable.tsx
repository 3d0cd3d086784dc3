import type { HeatmapCell, HeatmapTest } from '#contract/charts.ts'
import { countedTests } from '#contract/outcomes.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { count } from '#src/format/numbers.ts'
import { MiddleText } from '#src/ui/MiddleText.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './FlakyView.module.css'
import table from './ResultsTable.module.css'

type Props = {
  label: string
  tests: readonly HeatmapTest[]
  cells: readonly HeatmapCell[]
  showsVariants?: boolean
}

/** Tests with what they came to over all runs, and in each group, which leads to the runs. */
export function TestTable({ label, tests, cells, showsVariants }: Props) {
  const byTest = Map.groupBy(cells, ({ test }) => test)
  return (
    <div className={table.scroller}>
      <table className={table.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            {showsVariants && <th scope="col">Variants</th>}
            <th scope="col">All runs</th>
            <th scope="col" className={classes.byGroup}>
              Passed by group
            </th>
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <tr key={test.test}>
              <th scope="row" className={classes.test}>
                <MiddleText>{test.test}</MiddleText>
              </th>
              {showsVariants && <td>{count(test.flakyVariants)}</td>}
              <td>
                <OutcomeBar counts={test} />
              </td>
              <td>
                <span className={classes.groups}>
                  {byTest.get(test.test)?.map((cell) => (
                    <GroupOfTest key={cell.group} cell={cell} />
                  ))}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function GroupOfTest({ cell }: { cell: HeatmapCell }) {
  const url = useQueryState()
  const { test, group, passed } = cell
  const words = describeCounts(cell)
  const text = `${passed}/${countedTests(cell)} ${groupLabel(group)}`
  return (
    <button
      type="button"
      className={classes.group}
      title={words}
      aria-label={`${text}: ${test}, ${words}. Show the runs`}
      aria-pressed={url.one('test') === test && url.one('group') === group}
      onClick={() => url.push({ test, group })}
    >
      {text}
    </button>
  )
}
