import type { Task } from '#contract/tasks.ts'
import { seconds } from '#src/format/durations.ts'
import { count, emptyValue, fixedPercent, percent } from '#src/format/numbers.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import type { MeasuredTask } from './measure-tasks.ts'
import { difficultyText, outcomes, taskHints } from './task-words.ts'

type Props = {
  task: Task
  measured: MeasuredTask | null
  /** How many tasks have runs that count. */
  tasks: number
}

/** How hard the task is, how well it tells groups apart, and its limits. */
export function TaskFacts({ task, measured, tasks }: Props) {
  // One task or one group says nothing about strengths.
  const isScale = measured !== null && tasks > 1 && measured.groups.length > 1
  return (
    <FactBand>
      <Fact name="Solved" title={taskHints.solved}>
        {measured ? fixedPercent(measured.solved) : emptyValue}
      </Fact>
      <Fact name="Difficulty" title={taskHints.difficulty}>
        {isScale ? difficultyText(measured.difficulty) : emptyValue}
      </Fact>
      <Fact name="Discrimination" title={taskHints.discrimination}>
        {isScale ? (measured.discrimination?.toFixed(1) ?? emptyValue) : emptyValue}
      </Fact>
      <Fact name="Information" title={taskHints.information}>
        {isScale ? percent(measured.information, 1) : emptyValue}
      </Fact>
      <Fact name="Tells groups apart?">{apartText(measured)}</Fact>
      <Fact name="Runs">{count(measured?.runs ?? 0)}</Fact>
      <Fact name="Time limit">{seconds(task.limits.maxTimeSeconds ?? null)}</Fact>
      <Fact name="Version">v{task.ordinal}</Fact>
      {task.task !== null && <Fact name="Variant of">{task.task}</Fact>}
    </FactBand>
  )
}

function apartText(measured: MeasuredTask | null) {
  if (measured === null || measured.groups.length < 2) return emptyValue
  return measured.isAlike === null ? 'Yes' : `No. ${outcomes[measured.isAlike]}`
}
