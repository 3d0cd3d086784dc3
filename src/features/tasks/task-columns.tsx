import type { TaskSummary } from '#contract/tasks.ts'
import { seconds } from '#src/format/durations.ts'
import { count, emptyValue, percent } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { RateBar } from '#src/shared/leaderboard/RateBar.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { GroupStrip } from './GroupStrip.tsx'
import type { MeasuredTask } from './measure-tasks.ts'
import { difficultyText, outcomes, taskHints } from './task-words.ts'
import classes from './tasks.module.css'

/** A task of the definition, with what its runs say; null without runs that count. */
export type TaskRow = TaskSummary & { measured: MeasuredTask | null }

export const taskColumns = (experimentId: string, version: string): Column<TaskRow>[] => [
  {
    id: 'task',
    header: 'Task',
    cell: ({ id, instruction }) => (
      <span className={classes.name} title={instruction}>
        <b>{id}</b>
        {instruction !== id && <small>{instruction}</small>}
      </span>
    ),
    value: ({ id }) => id,
    csv: [{ header: 'Instruction', value: ({ instruction }) => instruction }],
  },
  {
    id: 'groups',
    header: 'Solved by',
    hint: 'One cell for each group, filled by the share of its runs that solved the task',
    cell: ({ measured }) => (measured ? <GroupStrip groups={measured.groups} /> : emptyValue),
    value: ({ measured }) => measured && measured.groups.filter(({ solved }) => solved > 0).length,
    width: '176px',
    from: 'sm',
  },
  {
    id: 'solved',
    header: 'Solved',
    hint: taskHints.solved,
    cell: ({ measured }) =>
      measured ? (
        <RateBar rate={{ share: measured.solved, interval: null, runs: measured.runs }} hasRange={false} />
      ) : (
        emptyValue
      ),
    value: ({ measured }) => measured && measured.solved,
    width: '144px',
  },
  amount('difficulty', 'Difficulty', ({ difficulty }) => difficulty, {
    hint: taskHints.difficulty,
    format: difficultyText,
    from: 'sm',
  }),
  amount('discrimination', 'Discrimination', ({ discrimination }) => discrimination, {
    hint: taskHints.discrimination,
    format: (value) => value.toFixed(1),
    from: 'md',
    width: '112px',
  }),
  amount('information', 'Information', ({ information }) => information, {
    hint: taskHints.information,
    format: (value) => percent(value, 1),
    from: 'md',
  }),
  {
    id: 'apart',
    header: 'Tells groups apart?',
    cell: ({ measured }) =>
      measured === null ? emptyValue : measured.isAlike === null ? 'Yes' : `No. ${outcomes[measured.isAlike]}`,
    value: ({ measured }) => measured && (measured.isAlike === null ? 'Yes' : 'No'),
    width: '184px',
    from: 'lg',
  },
  amount('runs', 'Runs', ({ runs }) => runs, { format: count, from: 'md', width: '72px' }),
  {
    id: 'failed',
    header: 'Failed',
    hint: 'Runs that count and did not solve the task',
    cell: ({ id, measured }) =>
      measured && measured.failed > 0 ? (
        <TextLink className={classes.nested} href={failedHref(experimentId, id, version)}>
          {count(measured.failed)}
        </TextLink>
      ) : (
        count(measured && measured.failed)
      ),
    value: ({ measured }) => measured && measured.failed,
    align: 'right',
    width: '72px',
    from: 'sm',
  },
  {
    id: 'stated',
    header: 'Stated difficulty',
    hint: 'What the author of the task says',
    value: ({ difficulty }) => difficulty,
    width: '136px',
    optional: true,
  },
  { id: 'tags', header: 'Tags', value: ({ tags }) => tags.join(', '), width: '184px', optional: true },
  { id: 'tests', header: 'Tests', value: ({ tests }) => tests, align: 'right', width: '64px', optional: true },
  { id: 'environment', header: 'Environment', value: ({ environment }) => environment, width: '144px', optional: true },
  { id: 'image', header: 'Image', value: ({ image }) => image, width: '184px', optional: true },
  {
    id: 'limit',
    header: 'Time limit',
    cell: ({ maxTimeSeconds }) => seconds(maxTimeSeconds),
    value: ({ maxTimeSeconds }) => maxTimeSeconds,
    align: 'right',
    width: '88px',
    optional: true,
  },
]

/** The runs of a task that did not solve it. */
const failedHref = (experimentId: string, task: string, version: string) =>
  paths.experiment(experimentId, 'runs', { prompt: [task], version_scope: version, result: 'unsolved' })

type Rest = Partial<Column<TaskRow>> & { format: (value: number) => string }

function amount(
  id: string,
  header: string,
  valueOf: (task: MeasuredTask) => number | null,
  { format, ...rest }: Rest,
): Column<TaskRow> {
  return {
    id,
    header,
    cell: ({ measured }) => {
      const value = measured && valueOf(measured)
      return value === null ? emptyValue : format(value)
    },
    value: ({ measured }) => measured && valueOf(measured),
    align: 'right',
    width: '96px',
    ...rest,
  }
}
