import { useSearchParams } from 'react-router'

import type { HeatmapCell, HeatmapTest } from '#contract/charts.ts'
import { countedTests, passRate } from '#contract/outcomes.ts'
import { shortLabel } from '#src/charts/place-labels.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { count, counted } from '#src/format/numbers.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { changeQuery, useQueryState } from '#src/url/use-query-state.ts'
import { readSelectedCell } from '#src/features/results/view/results-parameters.ts'
import classes from './FlakyView.module.css'
import table from '#src/features/results/view/ResultsTable.module.css'

type Props = {
  label: string
  tests: readonly HeatmapTest[]
  cells: readonly HeatmapCell[]
  showsVariants?: boolean
}

/** Tests with their outcomes over all runs and in each group, with links to the runs. */
export function TestTable({ label, tests, cells, showsVariants }: Props) {
  const byTest = Map.groupBy(cells, ({ test }) => test)
  const testNames = unsharedNames(tests.map(({ test }) => test))
  const groups = [...new Set(cells.map(({ group }) => group))]
  const groupNames = unsharedNames(groups.map(groupLabel)).map((name) => shortLabel(name))
  const nameOf = new Map(groups.map((group, place) => [group, groupNames[place] ?? '']))
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
          {tests.map((test, place) => (
            <tr key={test.test}>
              <th scope="row" className={classes.test}>
                <TruncatedText whole={test.test}>{testNames[place] ?? ''}</TruncatedText>
              </th>
              {showsVariants && <td>{count(test.flakyVariants)}</td>}
              <td>
                <OutcomeBar counts={test} />
              </td>
              <td>
                <GroupsOfTest test={test.test} cells={byTest.get(test.test) ?? []} nameOf={nameOf} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** With more groups than this the next test would be out of sight; the heatmap shows all of them. */
const maxGroups = 8

type GroupsProps = { test: string; cells: readonly HeatmapCell[]; nameOf: ReadonlyMap<string, string> }

function GroupsOfTest({ test, cells, nameOf }: GroupsProps) {
  const [search] = useSearchParams()
  const worstFirst = cells.toSorted((a, b) => (passRate(a) ?? 2) - (passRate(b) ?? 2))
  return (
    <span className={classes.groups}>
      {(cells.length > maxGroups ? worstFirst.slice(0, maxGroups) : cells).map((cell) => (
        <GroupOfTest key={cell.group} cell={cell} name={nameOf.get(cell.group) ?? ''} />
      ))}
      {cells.length > maxGroups && (
        <TextLink href={`?${changeQuery(search, { view: null, test_search: test })}`}>
          {counted(cells.length - maxGroups, 'more group')}
        </TextLink>
      )}
    </span>
  )
}

function GroupOfTest({ cell, name }: { cell: HeatmapCell; name: string }) {
  const url = useQueryState()
  const [search] = useSearchParams()
  const selected = readSelectedCell(search)
  const { test, group, passed } = cell
  const words = describeCounts(cell)
  const text = `${passed}/${countedTests(cell)} ${name}`
  return (
    <button
      type="button"
      className={classes.group}
      title={`${groupLabel(group)}: ${words}`}
      aria-label={`${text}: ${test}, ${words}. Show runs`}
      aria-pressed={selected?.test === test && selected.group === group}
      onClick={() => url.push({ test, test_group: group, group: null })}
    >
      {text}
    </button>
  )
}
