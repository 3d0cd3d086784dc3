import { useSearchParams } from 'react-router'

import type { HeatmapCell, HeatmapTest } from '#contract/charts.ts'
import { countedTests, passRate } from '#contract/outcomes.ts'
import { shortNames } from '#src/charts/short-names.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { count, counted } from '#src/format/numbers.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { changeQuery, useQueryState } from '#src/url/use-query-state.ts'
import { readSelectedCell } from '#src/features/results/view/results-parameters.ts'
import classes from './FlakyView.module.css'
import type { ResultColumn } from '#src/features/results/view/result-columns.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'

type Props = {
  label: string
  tests: readonly HeatmapTest[]
  cells: readonly HeatmapCell[]
  showsVariants?: boolean
}

/** Tests with their outcomes over all runs and in each group, with links to the runs. */
export function TestTable({ label, tests, cells, showsVariants }: Props) {
  const byTest = Map.groupBy(cells, ({ test }) => test)
  const groups = [...new Set(cells.map(({ group }) => group))]
  const groupNames = shortNames(groups.map(groupLabel), 28)
  const namesByGroup = new Map(groups.map((group, place) => [group, groupNames[place] ?? '']))
  return (
    <ResultsTable
      label={label}
      rows={tests}
      rowId={({ test }) => test}
      name={{ header: 'Test', text: ({ test }) => test, isCode: true, isWide: true }}
      hasFilter={false}
      columns={[...(showsVariants ? [variants] : []), allRuns, passedByGroup(byTest, namesByGroup)]}
    />
  )
}

const variants: ResultColumn<HeatmapTest> = {
  header: 'Variants',
  hint: 'Variants within which the test both passed and failed',
  text: ({ flakyVariants }) => count(flakyVariants),
  value: ({ flakyVariants }) => flakyVariants,
}

const allRuns: ResultColumn<HeatmapTest> = {
  header: 'All runs',
  hint: 'Outcomes over all runs; sorted by the share that passed',
  text: describeCounts,
  value: passRate,
  cell: (counts) => <OutcomeBar counts={counts} />,
}

const passedByGroup = (
  byTest: ReadonlyMap<string, readonly HeatmapCell[]>,
  namesByGroup: ReadonlyMap<string, string>,
): ResultColumn<HeatmapTest> => ({
  header: 'Passed by group',
  hint: 'Sorted by the lowest share that passed',
  text: () => '',
  value: ({ test }) => lowestRate(byTest.get(test) ?? []),
  cell: ({ test }) => <GroupsOfTest test={test} cells={byTest.get(test) ?? []} namesByGroup={namesByGroup} />,
  align: 'left',
})

const lowestRate = (cells: readonly HeatmapCell[]) =>
  cells.reduce<number | null>((lowest, cell) => {
    const rate = passRate(cell)
    return rate === null || (lowest !== null && lowest <= rate) ? lowest : rate
  }, null)

/** With more groups than this the next test would be out of sight; the heatmap shows all of them. */
const maxGroups = 4

type GroupsProps = { test: string; cells: readonly HeatmapCell[]; namesByGroup: ReadonlyMap<string, string> }

function GroupsOfTest({ test, cells, namesByGroup }: GroupsProps) {
  const [search] = useSearchParams()
  const worstFirst = cells.toSorted((a, b) => (passRate(a) ?? 2) - (passRate(b) ?? 2))
  return (
    <span className={classes.groups}>
      {(cells.length > maxGroups ? worstFirst.slice(0, maxGroups) : cells).map((cell) => (
        <GroupOfTest key={cell.group} cell={cell} name={namesByGroup.get(cell.group) ?? ''} />
      ))}
      {cells.length > maxGroups && (
        <TextLink href={`?${changeQuery(search, { view: 'heatmap', test_search: test })}`}>
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
