import { count, counted } from '#src/format/numbers.ts'
import type { MeasuredTask } from './measure-tasks.ts'

export const outcomes = { all: 'Every run solved it', none: 'No run solved it' } as const

export const taskHints = {
  solved: 'Share of solved runs, averaged over groups',
  difficulty: 'How strong a group must be to solve half of its runs, in standard deviations of groups',
  discrimination:
    'How steeply solved runs rise with the strength of a group; 1 is usual. With few groups it stays near 1.',
  information: 'Its part of what all tasks together tell about the strength of these groups',
} as const

export const difficultyText = (difficulty: number) =>
  difficulty
    .toFixed(1)
    .replace(/^-0\.0$/, '0.0')
    .replace('-', '−')

/** `12 of 80 tasks do not tell these groups apart: every run solved 9, and no run solved 3. 5 of 80 have half of the information.` */
export function tasksText(tasks: readonly MeasuredTask[]) {
  const [all = 0, none = 0] = (['all', 'none'] as const).map(
    (kind) => tasks.filter(({ isAlike }) => isAlike === kind).length,
  )
  const half = halfOf(tasks)
  const most = `${counted(half, 'task')} of ${count(tasks.length)} ${half === 1 ? 'has' : 'have'} half of the information.`
  if (all + none === 0) return `Every task tells the groups apart. ${most}`
  const parts = [all > 0 && `every run solved ${count(all)}`, none > 0 && `no run solved ${count(none)}`]
  return `${counted(all + none, 'task')} of ${count(tasks.length)} ${all + none === 1 ? 'does' : 'do'} not tell these groups apart: ${parts.filter(Boolean).join(', and ')}. ${most}`
}

/** How many of the most telling tasks have half of the information together. */
function halfOf(tasks: readonly MeasuredTask[]) {
  let [sum, needed] = [0, 0]
  for (const { information } of tasks) {
    if (sum >= 0.5) break
    sum += information
    needed += 1
  }
  return needed
}
