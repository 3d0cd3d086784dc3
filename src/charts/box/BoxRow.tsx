import { use } from 'react'

import { buttonProps, revealMark } from '#src/charts/button-props.ts'
import { seriesColor } from '#src/charts/series.ts'
import type { Plot } from '#src/charts/use-plot.ts'
import type { BoxGroup } from './box-group.ts'
import { RowsContext } from './BoxLayer.tsx'
import classes from './BoxPlot.module.css'
import { partsOfRow } from './row-parts.ts'

type Props = {
  selected: string | null
  onSelect: ((group: string) => void) | undefined
  /** From Recharts. */
  payload?: BoxGroup
}

/** A group as a row: its name, its number of runs and its value, and below them its box or its rate. */
export function BoxRow({ selected, onSelect, payload: group }: Props) {
  const rows = use(RowsContext)
  const place = group && rows?.rowOf.get(group.group)
  if (!group || !rows || place === undefined) return null
  const isSelected = group.group === selected
  const { plot, height, room } = rows
  const at = { top: plot.toY(place), height }
  const name = rows.names[place] ?? ''
  const text = `${name} ${group.extent}`
  const hasValue = group.value !== '' && `${text} ${group.value}`.length + 2 <= room
  const label = at.top + height * partsOfRow.label
  return (
    <g
      ref={isSelected ? revealMark : undefined}
      className={classes.mark}
      data-selected={isSelected || undefined}
      color={seriesColor(group.series)}
      {...(onSelect &&
        buttonProps({ text: hasValue ? `${text}: ${group.value}` : text, words: group.words }, () =>
          onSelect(group.group),
        ))}
    >
      <rect x={plot.x} y={at.top} width={plot.width} height={at.height} fill="transparent" />
      <text x={plot.x + 4} y={label} dominantBaseline="central">
        {name}{' '}
        <tspan className={classes.extent} dx={4}>
          {group.extent}
        </tspan>
      </text>
      {hasValue && (
        <text x={plot.x + plot.width - 4} y={label} textAnchor="end" dominantBaseline="central">
          {` ${group.value}`}
        </text>
      )}
      {group.dot ? <Dot dot={group.dot} at={at} plot={plot} /> : <Box group={group} at={at} plot={plot} />}
    </g>
  )
}

type Place = { plot: Plot; at: { top: number; height: number } }

type DotProps = Place & { dot: NonNullable<BoxGroup['dot']> }

/** A rate with a whisker from end to end of its interval. */
function Dot({ dot: { value, interval }, at, plot }: DotProps) {
  const middle = at.top + at.height * partsOfRow.middle
  const ends = interval && [plot.toX(interval.low), plot.toX(interval.high)]
  return (
    <>
      {ends && <line x1={ends[0]} x2={ends[1]} y1={middle} y2={middle} className={classes.median} />}
      {ends?.map((x) => (
        <line key={x} x1={x} x2={x} y1={middle - capHeight} y2={middle + capHeight} />
      ))}
      <circle className={classes.dot} cx={plot.toX(value)} cy={middle} r={5.5} />
    </>
  )
}

const capHeight = 6

function Box({ group, at, plot }: Place & { group: BoxGroup }) {
  const { q1, median, q3, lowerWhisker, upperWhisker, mean } = group
  if (q1 === null || median === null || q3 === null) return null
  const { middle: center, half } = partsOfRow
  const [top, middle, bottom] = [center - half, center, center + half].map((part) => at.top + at.height * part)
  if (top === undefined || middle === undefined || bottom === undefined) return null
  const [left, right] = [plot.toX(q1), plot.toX(q3)]
  return (
    <>
      {lowerWhisker !== null && <line x1={plot.toX(lowerWhisker)} x2={left} y1={middle} y2={middle} />}
      {upperWhisker !== null && <line x1={right} x2={plot.toX(upperWhisker)} y1={middle} y2={middle} />}
      <rect className={classes.box} x={left} y={top} width={Math.max(1, right - left)} height={bottom - top} rx={2} />
      <line className={classes.median} x1={plot.toX(median)} x2={plot.toX(median)} y1={top} y2={bottom} />
      {mean !== null && <circle className={classes.mean} cx={plot.toX(mean)} cy={middle} r={3.5} />}
    </>
  )
}
