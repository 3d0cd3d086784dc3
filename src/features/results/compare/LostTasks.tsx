import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { HeatmapSummary } from '#contract/charts.ts'
import { chartOptions } from '#src/api/charts.ts'
import { signed } from '#src/features/results/view/measures.ts'
import type { ResultColumn } from '#src/features/results/view/result-columns.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { ComparedRuns } from './compare-in-worker.ts'
import type { PairNames, Question } from './compare-pairs.ts'
import type { Sides } from './compare-sides.ts'
import classes from './Compare.module.css'
import { type TaskDifference, type TaskResult, compareTasks, taskSentence } from './task-differences.ts'
import { type SideTests, type DifferingTest, differingTests, testsOfSide } from './differing-tests.ts'

type Props = {
  compared: ComparedRuns
  question: Question
  sides: Sides
  names: PairNames
  labels: PairNames
  /** The task whose runs the side pane shows. */
  shown: string | null
}

type Row = TaskDifference & {
  /** Null until the tests are loaded. */
  tests: DifferingTest[] | null
}

/** The tasks of two groups, those that the better group loses first, each with the tests and a run that show why. */
export function LostTasks({ compared, question, sides, names, labels, shown }: Props) {
  const url = useQueryState()
  const comparison = useMemo(() => compareTasks(sides), [sides])
  const [first, second] = comparison.leads === 'left' ? (['left', 'right'] as const) : (['right', 'left'] as const)
  const [leader, other] = [labels[first], labels[second]]
  const ofLeader = testsOfSide(compared.parameters, question, names, first)
  const ofOther = testsOfSide(compared.parameters, question, names, second)
  const { cells, error, retry } = useTests(compared.experimentId, ofLeader, ofOther)
  const differences = comparison.tasks.map(({ difference }) => difference)
  const rows = comparison.tasks.map((task): Row => {
    const leaderCells = cells?.leader.get(ofLeader.groupOf(task.task)) ?? []
    const otherCells = cells?.other.get(ofOther.groupOf(task.task)) ?? []
    return { ...task, tests: cells ? differingTests(leaderCells, otherCells, task.difference) : null }
  })
  // The runs of a task are one matched cell unless another axis varies too.
  const isCell = sides.matchedBy.length === 1
  return (
    <Section
      title={
        differences.some((difference) => difference < 0) ? `On which prompts does ${leader} lose?` : 'Prompt by prompt'
      }
    >
      <p className={classes.tasks}>{taskSentence(comparison, leader)}</p>
      {error && <ErrorNotice title="The tests could not be loaded" error={error} onRetry={retry} />}
      <ResultsTable<Row>
        label="Prompts by difference"
        rows={rows}
        rowId={({ task }) => task}
        isOpen={({ task }) => isCell && task === shown}
        name={{
          header: 'Prompt',
          text: ({ task }) => task,
          ...(isCell && { onChoose: ({ task }) => url.push({ cell: task }) }),
        }}
        columns={[
          evidenceColumn({ leader, other }),
          solvedColumn(leader, (row) => row.leader),
          solvedColumn(other, (row) => row.other),
          {
            header: 'Difference',
            hint: `Solved rate of ${leader} minus that of ${other}`,
            text: ({ difference }) => signed('solved', difference, differences),
            value: ({ difference }) => difference,
          },
          testsColumn(`${leader} vs ${other}`),
        ]}
      />
    </Section>
  )
}

const solvedColumn = (name: string, resultOf: (row: Row) => TaskResult): ResultColumn<Row> => ({
  // On two lines, because the column is as narrow as `3 of 5`.
  header: name.replace(' · ', ' ·\n'),
  hint: `Solved runs of ${name}`,
  text: (row) => `${resultOf(row).solved} of ${resultOf(row).runs}`,
  value: (row) => resultOf(row).solved / resultOf(row).runs,
})

/** More names than this would hide the next task; the title has all. */
const maxTests = 2

/** `test_lines 1/5 vs 4/5`. Tests of imported tasks repeat the task's name. */
const testTexts = ({ task, tests }: Row) =>
  (tests ?? []).map(
    ({ test, leader, other }) =>
      `${test.startsWith(`${task}/`) ? test.slice(task.length + 1) : test} ${leader.passed}/${leader.counted} vs ${other.passed}/${other.counted}`,
  )

const testsColumn = (pair: string): ResultColumn<Row> => ({
  header: 'Tests that differ',
  hint: `Tests that one side passes more often, with the runs that passed: ${pair}`,
  align: 'left',
  text: (row) => testTexts(row).join(', '),
  cell: (row) => {
    const texts = testTexts(row)
    return (
      <span className={classes.tests} title={texts.join('\n')}>
        {texts.slice(0, maxTests).join(', ')}
        {texts.length > maxTests && `, ${texts.length - maxTests} more`}
      </span>
    )
  },
})

const evidenceColumn = (labels: { leader: string; other: string }): ResultColumn<Row> => ({
  header: 'Evidence',
  hint: 'A failed run of the side that solves the prompt less often',
  align: 'left',
  text: ({ loser }) => (loser ? labels[loser.side] : ''),
  value: ({ loser }) => (loser ? labels[loser.side] : null),
  cell: (row) =>
    row.loser && (
      <TextLink href={evidenceHref(row, row.loser)}>
        Failed run
        <VisuallyHidden>
          {' '}
          of {labels[row.loser.side]} on {row.task}
        </VisuallyHidden>
      </TextLink>
    ),
})

/** Opens a test that all runs of the losing side fail. Without a test in the URL, a run opens at its first failure. */
function evidenceHref(row: Row, { side, run }: NonNullable<Row['loser']>) {
  const always = row.tests?.find((test) => test[side].passed === 0 && test[side].counted === row[side].runs)
  return always ? paths.test(run.id, always.test) : paths.run(run.id)
}

/** The cells of both sides by group. Two groups share one request, because their charts are the same. */
function useTests(experimentId: string, leader: SideTests, other: SideTests) {
  const ofLeader = useQuery(chartOptions('tests', experimentId, leader.parameters))
  const ofOther = useQuery(chartOptions('tests', experimentId, other.parameters))
  const failed = ofLeader.error ? ofLeader : ofOther
  const cells = useMemo(
    () => ofLeader.data && ofOther.data && { leader: byGroup(ofLeader.data), other: byGroup(ofOther.data) },
    [ofLeader.data, ofOther.data],
  )
  return { cells, error: failed.error, retry: () => void failed.refetch() }
}

const byGroup = ({ cells }: HeatmapSummary) => Map.groupBy(cells, ({ group }) => group)
