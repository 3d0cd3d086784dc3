import { useMemo } from 'react'

import { inColumn } from '#src/features/results/view/measures.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { count, counted, percent } from '#src/format/numbers.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Task, toTasks } from './to-tasks.ts'
import classes from './WhoseFailure.module.css'

const outcomes = { all: 'Every run solved it', none: 'No run solved it' } as const

/** Every prompt of a leaderboard as a measure of its groups, the most telling first. */
export function TaskTable({ rows }: { rows: readonly LeaderboardRow[] }) {
  const url = useQueryState()
  const tasks = useMemo(() => toTasks(rows), [rows])
  return (
    <div className={classes.decisions}>
      <p className={classes.verdict}>{tasksText(tasks)}</p>
      <ResultsTable
        label="Prompts"
        rows={tasks}
        rowId={({ prompt }) => prompt}
        name={{
          header: 'Prompt',
          text: ({ prompt }) => prompt || 'none recorded',
          onChoose: ({ prompt }) => url.push({ prompt_ids: [prompt] }),
        }}
        columns={[
          { header: 'Groups', text: ({ groups }) => count(groups), value: ({ groups }) => groups },
          { header: 'Runs', text: ({ runs }) => count(runs), value: ({ runs }) => runs },
          {
            header: 'Solved',
            hint: 'Share of solved runs, averaged over groups',
            text: ({ solved, runs }) => inColumn('solved', solved, runs),
            value: ({ solved }) => solved,
          },
          {
            header: 'Difficulty',
            hint: 'How strong a group must be to solve half of its runs, in standard deviations of groups',
            text: ({ difficulty }) => difficulty.toFixed(1).replace('-', '−'),
            value: ({ difficulty }) => difficulty,
          },
          {
            header: 'Discrimination',
            hint: 'How steeply solved runs rise with the strength of a group; 1 is usual. With few groups it stays near 1.',
            text: ({ discrimination }) => discrimination.toFixed(1),
            value: ({ discrimination }) => discrimination,
          },
          {
            header: 'Information',
            hint: 'Its part of what all prompts together tell about the strength of these groups',
            text: ({ information }) => percent(information, 1),
            value: ({ information }) => information,
          },
          {
            header: 'Tells groups apart?',
            text: ({ isAlike }) => (isAlike === null ? 'Yes' : `No. ${outcomes[isAlike]}`),
            align: 'left',
          },
        ]}
      />
      <p className={classes.bounds}>
        From a two-parameter logistic model of item response. It assumes that a group is strong or weak, not strong on
        some prompts. Prompts that do not tell these groups apart may tell others apart.
      </p>
    </div>
  )
}

/** `12 of 80 prompts tell nothing about these groups: every run solved 9 of them, and no run solved 3.` */
function tasksText(tasks: readonly Task[]) {
  const [all, none] = (['all', 'none'] as const).map((kind) => tasks.filter(({ isAlike }) => isAlike === kind).length)
  const half = halfOf(tasks)
  const most = `${counted(half, 'prompt')} of ${count(tasks.length)} ${half === 1 ? 'has' : 'have'} half of the information.`
  if (!all && !none) return `Every prompt tells the groups apart. ${most}`
  const parts = [all ? `every run solved ${count(all)}` : '', none ? `no run solved ${count(none)}` : '']
  const alike = (all ?? 0) + (none ?? 0)
  return `${counted(alike, 'prompt')} of ${count(tasks.length)} ${alike === 1 ? 'does' : 'do'} not tell these groups apart: ${parts.filter(Boolean).join(', and ')}. ${most}`
}

/** How many of the most telling tasks have half of the information together. */
function halfOf(tasks: readonly Task[]) {
  let [sum, needed] = [0, 0]
  for (const { information } of tasks) {
    if (sum >= 0.5) break
    sum += information
    needed += 1
  }
  return needed
}
