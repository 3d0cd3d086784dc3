import type { Solved } from './pass-at-k.ts'

/** One task: how hard it is, and how well it tells strong groups from weak ones. */
export type TaskFit = {
  prompt: string
  /** The strength at which half of the runs are solved, in standard deviations of groups; higher is harder. */
  difficulty: number
  /** How steeply the chance to solve it rises with the strength of a group; 1 is usual. */
  discrimination: number
  /** Its part of what all tasks together tell about the strengths of these groups, from 0 to 1. */
  information: number
}

type Group = { prompts: ReadonlyMap<string, Solved> }

/** Where the priors are centered, and their precisions: strengths have deviation 1, difficulties 2, log discriminations 0.5. */
const precision = { strength: 1, difficulty: 1 / 2 ** 2, steepness: 1 / 0.5 ** 2 }

type Task = { prompt: string; b: number; alpha: number; cells: { group: number; runs: number; solved: number }[] }

/**
 * The two-parameter logistic model (Birnbaum 1968): a run of a group of strength θ solves a task with the probability
 * 1 ÷ (1 + exp(−a(θ − b))). All parameters have the highest posterior density under normal priors: θ with mean 0 and deviation
 * 1, b 0 and 2, log a 0 and 0.5, which are common ones (BILOG-MG). They are found by Newton steps for one group or
 * task at a time. With few groups the prior decides much of a. The fit assumes that groups are strong or weak, not
 * strong on some tasks.
 */
export function fitTasks(groups: readonly Group[]): { tasks: TaskFit[]; strengths: number[] } {
  const tasks = toTasks(groups)
  const strengths = groups.map(() => 0)
  const ofGroup = groups.map((_, place) =>
    tasks.flatMap((task) => task.cells.filter(({ group }) => group === place).map((cell) => ({ task, ...cell }))),
  )
  for (let round = 0; round < maxRounds; round += 1) {
    let moved = 0
    for (const [place, cells] of ofGroup.entries()) {
      const step = strengthStep(strengths[place] ?? 0, cells)
      strengths[place] = (strengths[place] ?? 0) + step
      moved = Math.max(moved, Math.abs(step))
    }
    for (const task of tasks) moved = Math.max(moved, moveTask(task, strengths))
    if (moved < 1e-7) break
  }
  return { tasks: withInformation(tasks, strengths), strengths }
}

const maxRounds = 500

function toTasks(groups: readonly Group[]): Task[] {
  const tasks = new Map<string, Task>()
  for (const [group, { prompts }] of groups.entries())
    for (const [prompt, { runs, solved }] of prompts) {
      const task = tasks.get(prompt) ?? { prompt, b: 0, alpha: 0, cells: [] }
      task.cells.push({ group, runs, solved })
      tasks.set(prompt, task)
    }
  return [...tasks.values()]
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x))

/** No step is longer than 1, so that the first ones do not leave the region where the curvature is known. */
const limited = (step: number) => Math.max(-1, Math.min(1, step))

function strengthStep(strength: number, cells: readonly { task: Task; runs: number; solved: number }[]) {
  let [slope, curvature] = [-precision.strength * strength, precision.strength]
  for (const { task, runs, solved } of cells) {
    const a = Math.exp(task.alpha)
    const chance = logistic(a * (strength - task.b))
    slope += a * (solved - runs * chance)
    curvature += a * a * runs * chance * (1 - chance)
  }
  return limited(slope / curvature)
}

/** One Newton step for the difficulty and one for the discrimination, with the expected curvature, which is positive. */
function moveTask(task: Task, strengths: readonly number[]) {
  const step = (isDifficulty: boolean) => {
    const a = Math.exp(task.alpha)
    const prior = isDifficulty ? precision.difficulty : precision.steepness
    let [slope, curvature] = [-prior * (isDifficulty ? task.b : task.alpha), prior]
    for (const { group, runs, solved } of task.cells) {
      const distance = (strengths[group] ?? 0) - task.b
      const chance = logistic(a * distance)
      const change = isDifficulty ? -a : a * distance
      slope += change * (solved - runs * chance)
      curvature += change * change * runs * chance * (1 - chance)
    }
    return limited(slope / curvature)
  }
  const difficulty = step(true)
  task.b += difficulty
  const steepness = step(false)
  task.alpha += steepness
  return Math.max(Math.abs(difficulty), Math.abs(steepness))
}

/** Fisher's information about the strengths in one run of each group. */
function withInformation(tasks: readonly Task[], strengths: readonly number[]): TaskFit[] {
  const found = tasks.map(({ prompt, b, alpha, cells }) => {
    const a = Math.exp(alpha)
    const information = cells.reduce((sum, { group }) => {
      const chance = logistic(a * ((strengths[group] ?? 0) - b))
      return sum + a * a * chance * (1 - chance)
    }, 0)
    return { prompt, difficulty: b, discrimination: a, information }
  })
  const all = found.reduce((sum, { information }) => sum + information, 0)
  return found.map((task) => ({ ...task, information: all === 0 ? 0 : task.information / all }))
}
