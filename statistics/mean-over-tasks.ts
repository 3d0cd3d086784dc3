import { isEqualButForRounding } from './differences.ts'
import type { Precision } from './precision.ts'

/** The means of two groups on one prompt, and the task that it is a variant of. Without one, the prompt is its own task. */
export type PromptMeans = { left: number; right: number; task?: string | undefined }

export type MeanOverTasks = {
  /** The mean over prompts of left minus right. */
  difference: number
  precision: Precision
  tasks: number
}

/** The tasks with the same number of prompts: how many, and the sum and the sum of squares of their sums. */
type SameSize = { tasks: number; sum: number; squares: number }

/** A spread below this share of the range of differences is rounding: the means of all tasks are equal. */
const rounding = 1e-7

/**
 * The mean over prompts of left minus right, where the prompts are variants of tasks that are a random sample, prompt
 * after prompt. Every prompt has the same weight, whatever its task. The standard error is the jackknife's, which leaves
 * out one of the C tasks at a time (Tukey 1958). For a mean that is the cluster-robust error (Liang and Zeger 1986; Miller
 * 2024 for evaluations) in its form CR3 (Bell and McCaffrey 2002): for m prompts, √((C − 1) ÷ C · Σ (x − mean of x)²) with x =
 * the sum of a task's deviations from the mean ÷ the number of prompts of other tasks. With as many prompts in each task it
 * is √(C ÷ (C − 1) · Σ sums²) ÷ m with C − 1 degrees of Student's t, and without tasks s ÷ √m. Where a few tasks have most of the
 * prompts, there are fewer degrees: `effectiveTasks` − 1.
 */
export function meanOverTasks() {
  const ofTask = new Map<string, { prompts: number; sum: number }>()
  const bySize = new Map<number, SameSize>()
  let [prompts, first, sum, scale] = [0, 0, 0, 0]
  let [low, high] = [Infinity, -Infinity]
  const count = (task: { prompts: number; sum: number }, sign: 1 | -1) => {
    const same = bySize.get(task.prompts) ?? { tasks: 0, sum: 0, squares: 0 }
    same.tasks += sign
    same.sum += sign * task.sum
    same.squares += sign * task.sum ** 2
    if (same.tasks === 0) bySize.delete(task.prompts)
    else bySize.set(task.prompts, same)
  }
  return {
    add({ left, right, task }: PromptMeans) {
      const difference = left - right
      if (prompts === 0) first = difference
      // Distances from the first difference lose fewer digits, and none where all differences are equal.
      const distance = difference - first
      const before = task === undefined ? undefined : ofTask.get(task)
      const after = { prompts: (before?.prompts ?? 0) + 1, sum: (before?.sum ?? 0) + distance }
      if (task !== undefined) ofTask.set(task, after)
      if (before) count(before, -1)
      count(after, 1)
      prompts += 1
      sum += distance
      low = Math.min(low, difference)
      high = Math.max(high, difference)
      scale = Math.max(scale, Math.abs(left), Math.abs(right))
    },
    find(): MeanOverTasks {
      const sizes = [...bySize]
      const tasks = sizes.reduce((all, [, same]) => all + same.tasks, 0)
      const degrees = effectiveTasks(sizes) - 1
      const found = (difference: number, standardError: number) => ({
        difference,
        precision: { standardError, degrees },
        tasks,
      })
      if (isEqualButForRounding(low, high, scale)) return found(isEqualButForRounding(0, low, scale) ? 0 : first, 0)
      const mean = first + sum / prompts
      const standardError = tasks < 2 ? 0 : jackknifeOf(sizes, { tasks, prompts, sum })
      if (tasks === prompts || standardError > rounding * (high - low)) return found(mean, standardError)
      return found(isEqualButForRounding(0, mean, scale) ? 0 : mean, 0)
    },
  }
}

type Totals = { tasks: number; prompts: number; sum: number }

function jackknifeOf(sizes: readonly (readonly [number, SameSize])[], { tasks, prompts, sum }: Totals) {
  let [total, squares] = [0, 0]
  for (const [size, same] of sizes) {
    const [mean, others] = [(size * sum) / prompts, prompts - size]
    total += (same.sum - same.tasks * mean) / others
    squares += (same.squares - 2 * mean * same.sum + same.tasks * mean ** 2) / others ** 2
  }
  return Math.sqrt(Math.max(0, ((tasks - 1) / tasks) * (squares - total ** 2 / tasks)))
}

/**
 * As many tasks with equal numbers of prompts say as much of a mean: m² ÷ Σ (prompts of a task)² (Kish 1965; Carter, Schnepel
 * and Steigerwald 2017 for clusters).
 */
export const effectiveTasks = (sizes: Iterable<readonly [size: number, same: { tasks: number }]>) => {
  let [prompts, squares] = [0, 0]
  for (const [size, { tasks }] of sizes) {
    prompts += tasks * size
    squares += tasks * size ** 2
  }
  return prompts ** 2 / squares
}

/** `meanOverTasks` of all prompts at once. */
export function averageOverTasks(means: readonly PromptMeans[]): MeanOverTasks {
  const sample = meanOverTasks()
  for (const prompt of means) sample.add(prompt)
  return sample.find()
}

/** The prompts of each task; a prompt without one is alone. */
export const groupByTask = <Prompt>(
  prompts: readonly Prompt[],
  taskOf: (prompt: Prompt) => string | undefined,
): Prompt[][] => [...Map.groupBy(prompts, (prompt, place) => taskOf(prompt) ?? place).values()]
