import { useId } from 'react'

import { buttonProps } from '#src/charts/button-props.ts'
import { GridLines } from '#src/charts/GridLines.tsx'
import type { MarksProps } from '#src/charts/marks-props.ts'
import { type Line, placeLabels } from '#src/charts/place-labels.ts'
import { PointLayer } from '#src/charts/PointLayer.tsx'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { reveal } from '#src/ui/reveal.ts'
import { seriesColor, seriesSymbol } from '#src/charts/series.ts'
import type { Plot } from '#src/charts/plot.ts'
import { ellipseOutline } from '#statistics/covariance-ellipse.ts'
import classes from './ScatterPlot.module.css'
import type { ScatterGroup } from './scatter-group.ts'

/** There are no axis labels past the end of the plot. */
const rightMargin = 24

/** Above this number ellipses overlap, and filled ones would be one dark area. */
const many = 10

/** Everything between the axes: runs, ellipses, the Pareto front, then the means, which open their runs. */
export function GroupMarks(props: MarksProps<ScatterGroup>) {
  const { groups, plot, selected, onSelectGroup, onSelectPoints } = props
  const clipId = useId()
  const names = unsharedNames(groups.map(({ label }) => label))
  const labels = placeLabels(
    groups.map(({ mean }, place) => ({ x: plot.toX(mean.x), y: plot.toY(mean.y), text: names[place] ?? '' })),
    { left: plot.x, right: plot.x + plot.width + rightMargin },
    frontLines(groups, plot),
  )
  return (
    <>
      <GridLines {...props} />
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
        <path d={frontPath(groups, plot)} className={classes.front} />
      </g>
      <PointLayer {...props} onSelect={onSelectPoints} />
      {groups.map((group, place) => {
        const label = labels[place]
        return (
          <g
            key={group.group}
            ref={group.group === selected ? reveal : undefined}
            className={classes.mark}
            data-selected={group.group === selected || undefined}
            {...buttonProps({ text: label?.text ?? '', words: group.words }, () => onSelectGroup(group.group))}
          >
            <title>{group.words}</title>
            <path
              d={seriesSymbol(group.series)}
              transform={`translate(${plot.toX(group.mean.x)} ${plot.toY(group.mean.y)})`}
              fill={seriesColor(group.series)}
            />
            {label && (
              <text x={label.x} y={label.y} textAnchor={label.anchor} dominantBaseline="central">
                {label.text}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

function ellipsePath({ ellipse }: ScatterGroup, { toX, toY }: Plot) {
  if (!ellipse) return undefined
  return `M${ellipseOutline(ellipse)
    .map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`)
    .join('L')}Z`
}

/** The front is a staircase: between two groups, only the cheaper group's quality is known to be reachable. */
function frontPath(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot) {
  const front = onFront(groups)
  const [first] = front
  if (!first) return undefined
  const steps = front.map(({ mean }) => `H${toX(mean.x)}V${toY(mean.y)}`)
  return `M${toX(first.mean.x)},${y + height}${steps.join('')}H${x + width}`
}

const onFront = (groups: readonly ScatterGroup[]) =>
  groups.filter(({ isOnFront }) => isOnFront).toSorted((a, b) => a.mean.x - b.mean.x)

/** The lines of that staircase, which labels avoid. */
function frontLines(groups: readonly ScatterGroup[], { toX, toY, x, width, y, height }: Plot): Line[] {
  const front = onFront(groups).map(({ mean }) => ({ x: toX(mean.x), y: toY(mean.y) }))
  return front.flatMap((step, place) => [
    { x1: step.x, y1: front[place - 1]?.y ?? y + height, x2: step.x, y2: step.y },
    { x1: step.x, y1: step.y, x2: front[place + 1]?.x ?? x + width, y2: step.y },
  ])
}
