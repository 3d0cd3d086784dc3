import { fitTasks, type TaskFit } from '#statistics/leaderboard/item-response.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { meanOf } from '#statistics/moments.ts'

export type Task = TaskFit & {
  groups: number
  runs: number
  /** Averaged over groups. */
  solved: number
  /** Whether all runs of all groups have the same outcome, and which; then the task tells no group from another. */
  isAlike: 'all' | 'none' | null
}

/** The prompts of a leaderboard as tasks, those with the most information first. */
export function toTasks(rows: readonly Pick<LeaderboardRow, 'prompts'>[]): Task[] {
  const { tasks } = fitTasks(rows)
  const found = tasks.map((task): Task => {
    const tallies = rows.flatMap(({ prompts }) => prompts.get(task.prompt) ?? [])
    const solved = meanOf(tallies.map((tally) => tally.solved / tally.runs))
    return {
      ...task,
      groups: tallies.length,
      runs: tallies.reduce((sum, { runs }) => sum + runs, 0),
      solved,
      isAlike: solved === 1 ? 'all' : solved === 0 ? 'none' : null,
    }
  })
  return found.toSorted((a, b) => b.information - a.information || (a.prompt < b.prompt ? -1 : 1))
}
