import { createContext, type ReactNode, use, useId, useMemo } from 'react'

import { buttonProps, revealMark } from '#src/charts/button-props.ts'
import { type Line, type PlacedLabel, placeLabels } from '#src/charts/place-labels.ts'
import { seriesColor, seriesSymbol } from '#src/charts/series.ts'
import type { Plot } from '#src/charts/use-plot.ts'
import { ellipseOutline } from '#statistics/covariance-ellipse.ts'
import type { ScatterGroup } from './scatter-group.ts'
import classes from './ScatterPlot.module.css'

/** The front is a staircase: between two groups, only the cheaper group's quality is known to be reachable. */
function paretoPath(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot) {
  const front = onFront(groups)
  const [first] = front
  if (!first) return undefined
  const steps = front.map(({ mean }) => `H${toX(mean.x)}V${toY(mean.y)}`)
  return `M${toX(first.mean.x)},${y + height}${steps.join('')}H${x + width}`
}

const onFront = (groups: readonly ScatterGroup[]) =>
  groups.filter(({ isOnFront }) => isOnFront).toSorted((a, b) => a.mean.x - b.mean.x)

/** The lines of that staircase, which labels avoid. */
function paretoLines(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot): Line[] {
  const front = onFront(groups).map(({ mean }) => ({ x: toX(mean.x), y: toY(mean.y) }))
  return front.flatMap((step, place) => [
    { x1: step.x, y1: front[place - 1]?.y ?? y + height, x2: step.x, y2: step.y },
    { x1: step.x, y1: step.y, x2: front[place + 1]?.x ?? x + width, y2: step.y },
  ])
}

/** There are no axis labels past the end of the plot. */
const rightMargin = 24

/** Above this number ellipses overlap, and filled ones would be one dark area. */
const many = 10

/** The names beside the marks, by group. */
const LabelsContext = createContext<ReadonlyMap<string, PlacedLabel | null>>(new Map())

type Props = { groups: readonly ScatterGroup[]; plot: Plot | null; children: ReactNode }

/** Ellipses and the Pareto front behind the marks, and the places of the marks' names. */
export function GroupMarks({ groups, plot, children }: Props) {
  const clipId = useId()
  const labels = useMemo(() => (plot ? labelsOf(groups, plot) : new Map<string, PlacedLabel | null>()), [groups, plot])
  return (
    <>
      {plot && (
        <>
          <clipPath id={clipId}>
            <rect x={plot.x} y={plot.y} width={plot.width} height={plot.height} />
          </clipPath>
          <g clipPath={`url(#${clipId})`} className={classes.behind} data-many={groups.length > many || undefined}>
            {groups.map((group) => (
              <path
                key={group.group}
                d={ellipsePath(group, plot)}
                className={classes.ellipse}
                stroke={seriesColor(group.series)}
                fill={seriesColor(group.series)}
              />
            ))}
            <path d={paretoPath(groups, plot)} className={classes.front} />
          </g>
        </>
      )}
      <LabelsContext value={labels}>{children}</LabelsContext>
    </>
  )
}

function labelsOf(groups: readonly ScatterGroup[], plot: Plot) {
  const labels = placeLabels(
    groups.map(({ mean, label }) => ({ x: plot.toX(mean.x), y: plot.toY(mean.y), text: label })),
    { left: plot.x, right: plot.x + plot.width + rightMargin },
    paretoLines(groups, plot),
  )
  return new Map(groups.map(({ group }, place) => [group, labels[place] ?? null]))
}

type MarkProps = {
  selected: string | null
  onSelect: (group: string) => void
  /** The next ones are from Recharts. */
  payload?: ScatterGroup
  cx?: number
  cy?: number
}

/** The means of a group. They open its runs and have its name beside them. */
export function GroupMark({ selected, onSelect, payload: group, cx, cy }: MarkProps) {
  const labels = use(LabelsContext)
  if (!group) return null
  const label = labels.get(group.group)
  const isSelected = group.group === selected
  return (
    <g
      ref={isSelected ? revealMark : undefined}
      className={classes.mark}
      data-selected={isSelected || undefined}
      {...buttonProps({ text: label?.text ?? '', words: group.words }, () => onSelect(group.group))}
    >
      <path d={seriesSymbol(group.series)} transform={`translate(${cx} ${cy})`} fill={seriesColor(group.series)} />
      {label && (
        <text x={label.x} y={label.y} textAnchor={label.anchor} dominantBaseline="central">
          {label.text}
        </text>
      )}
    </g>
  )
}

function ellipsePath({ ellipse }: ScatterGroup, { toX, toY }: Plot) {
  if (!ellipse) return undefined
  return `M${ellipseOutline(ellipse)
    .map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`)
    .join('L')}Z`
}
