import type { ChartRun } from '#contract/chart-runs.ts'
import { counted } from '#src/format/numbers.ts'
import type { Sides } from './compare-sides.ts'

/** How one side did on a task: its runs with an outcome, and how many of them passed every test. */
export type TaskResult = { runs: number; solved: number }

/** One task that both sides ran. */
export type TaskDifference = {
  task: string
  leader: TaskResult
  other: TaskResult
  /** The leader's solved rate minus the other's. */
  difference: number
  /** The side that solved the task less often, with one of its runs that failed; null for a tie. */
  loser: { side: 'leader' | 'other'; run: ChartRun } | null
}

export type TaskComparison = {
  /** The side that solves more over all tasks; the left one if they solve equally many. */
  leads: 'left' | 'right'
  /** The tasks on which the leader loses most come first. */
  tasks: TaskDifference[]
  /** Tasks that only one side ran. */
  leftOut: number
}

/** Compares two sides task by task, from the view of the one that solves more. A task is a prompt. */
export function compareTasks({ left, right }: Pick<Sides, 'left' | 'right'>): TaskComparison {
  const [ofLeft, ofRight] = [runsByTask(left), runsByTask(right)]
  const shared = [...ofLeft.keys()].filter((task) => ofRight.has(task))
  const difference = (task: string) => rateOf(ofLeft.get(task)) - rateOf(ofRight.get(task))
  const leads = shared.reduce((sum, task) => sum + difference(task), 0) < 0 ? 'right' : 'left'
  const [ofLeader, ofOther] = leads === 'left' ? [ofLeft, ofRight] : [ofRight, ofLeft]
  const tasks = shared.map((task) => toDifference(task, ofLeader.get(task) ?? [], ofOther.get(task) ?? []))
  return {
    leads,
    tasks: tasks.toSorted((a, b) => a.difference - b.difference || (a.task < b.task ? -1 : 1)),
    leftOut: ofLeft.size + ofRight.size - 2 * shared.length,
  }
}

/** Runs that count, by prompt. */
function runsByTask(runs: readonly ChartRun[]): Map<string, ChartRun[]> {
  const counting = runs.filter(({ metrics, prompt }) => metrics.solved !== null && prompt !== null)
  return Map.groupBy(counting, ({ prompt }) => prompt ?? '')
}

const solvedOf = (runs: readonly ChartRun[]) => runs.filter(({ metrics }) => metrics.solved === 1).length

const rateOf = (runs: readonly ChartRun[] = []) => solvedOf(runs) / runs.length

function toDifference(task: string, ofLeader: readonly ChartRun[], ofOther: readonly ChartRun[]): TaskDifference {
  const difference = rateOf(ofLeader) - rateOf(ofOther)
  const side = difference < 0 ? 'leader' : 'other'
  const run = difference === 0 ? undefined : failedRun(side === 'leader' ? ofLeader : ofOther)
  return {
    task,
    leader: { runs: ofLeader.length, solved: solvedOf(ofLeader) },
    other: { runs: ofOther.length, solved: solvedOf(ofOther) },
    difference,
    loser: run ? { side, run } : null,
  }
}

/** The newest run with failed tests to look at, or else one that errored before its tests. */
function failedRun(runs: readonly ChartRun[]) {
  const failed = runs.filter(({ metrics }) => metrics.solved === 0)
  return failed.find(({ status }) => status === 'completed') ?? failed[0]
}

/** `droid loses on 9 of 80 prompts, wins on 24 and ties on 47.` */
export function taskSentence({ tasks, leftOut }: TaskComparison, leader: string): string {
  const lost = tasks.filter(({ difference }) => difference < 0).length
  const won = tasks.filter(({ difference }) => difference > 0).length
  const ties = tasks.length - lost - won
  const excluded = leftOut === 0 ? '' : ` ${leftOut} that only one side ran ${leftOut === 1 ? 'is' : 'are'} excluded.`
  return `${leader} loses on ${lost} of ${counted(tasks.length, 'prompt')}, wins on ${won} and ties on ${ties}.${excluded}`
}
