import { effectiveTasks, groupByTask } from './mean-over-tasks.ts'
import type { Covariance } from '#contract/charts.ts'
import { meanOf, varianceOf } from './moments.ts'

/** The means of two measures on one prompt, and the task that it is a variant of. */
type PromptPoint = { x: number; y: number; task: string | undefined }

/**
 * How the mean of two measures over prompts varies, written as variances of so many independent prompts: `n` is
 * `effectiveTasks`, rounded down, and the variances and the covariance ÷ n are those of the mean by the jackknife over tasks, as in
 * `meanOverTasks`. They are null with fewer than two tasks.
 */
export function covarianceOverTasks(points: readonly PromptPoint[]): Covariance {
  const tasks = groupByTask(points, ({ task }) => task)
  if (points.length === 0) return { n: 0, meanX: null, meanY: null, varianceX: null, varianceY: null, covariance: null }
  const mean = { x: meanOf(points.map(({ x }) => x)), y: meanOf(points.map(({ y }) => y)) }
  const means = { meanX: mean.x, meanY: mean.y }
  if (tasks.length < 2) return { n: tasks.length, ...means, varianceX: null, varianceY: null, covariance: null }
  const without = tasks.map((own) => {
    const others = points.length - own.length
    const distance = (axis: 'x' | 'y') => own.reduce((sum, point) => sum + point[axis] - mean[axis], 0) / others
    return { x: distance('x'), y: distance('y') }
  })
  const n = Math.floor(effectiveTasks(tasks.map((own) => [own.length, { tasks: 1 }])))
  const factor = (n * (tasks.length - 1) ** 2) / tasks.length
  const varianceOfTasks = (valueOf: (task: { x: number; y: number }) => number) =>
    factor * varianceOf(without.map(valueOf))
  return {
    n,
    ...means,
    varianceX: varianceOfTasks(({ x }) => x),
    varianceY: varianceOfTasks(({ y }) => y),
    covariance: (varianceOfTasks(({ x, y }) => x + y) - varianceOfTasks(({ x, y }) => x - y)) / 4,
  }
}
