import type { Line } from '#src/charts/place-labels.ts'
import type { Plot } from '#src/charts/use-plot.ts'
import type { ScatterGroup } from './scatter-group.ts'

/** The front is a staircase: between two groups, only the cheaper group's quality is known to be reachable. */
export function paretoPath(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot) {
  const front = onFront(groups)
  const [first] = front
  if (!first) return undefined
  const steps = front.map(({ mean }) => `H${toX(mean.x)}V${toY(mean.y)}`)
  return `M${toX(first.mean.x)},${y + height}${steps.join('')}H${x + width}`
}

const onFront = (groups: readonly ScatterGroup[]) =>
  groups.filter(({ isOnFront }) => isOnFront).toSorted((a, b) => a.mean.x - b.mean.x)

/** The lines of that staircase, which labels avoid. */
export function paretoLines(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot): Line[] {
  const front = onFront(groups).map(({ mean }) => ({ x: toX(mean.x), y: toY(mean.y) }))
  return front.flatMap((step, place) => [
    { x1: step.x, y1: front[place - 1]?.y ?? y + height, x2: step.x, y2: step.y },
    { x1: step.x, y1: step.y, x2: front[place + 1]?.x ?? x + width, y2: step.y },
  ])
}
