import { buttonProps } from '#src/charts/button-props.ts'
import { GridLines } from '#src/charts/GridLines.tsx'
import type { MarksProps } from '#src/charts/marks-props.ts'
import { shortLabel } from '#src/charts/place-labels.ts'
import { PointLayer } from '#src/charts/PointLayer.tsx'
import { reveal } from '#src/ui/reveal.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { seriesColor } from '#src/charts/series.ts'
import type { Plot } from '#src/charts/plot.ts'
import type { BoxGroup } from './box-group.ts'
import classes from './BoxPlot.module.css'

const letterWidth = 6.8

/** Parts of a row as fractions of its height, from the top: label baseline, middle of the box, half the box height. */
const row = { label: 0.2, middle: 0.66, half: 0.19 }

/** The rows between the axes. A row opens its runs; a point opens its run. */
export function BoxMarks(props: MarksProps<BoxGroup>) {
  const { groups, plot, selected, onSelectGroup, onSelectPoints } = props
  const room = Math.floor(plot.width / letterWidth)
  const most = Math.max(12, room - 44)
  const names = unsharedNames(
    groups.map(({ label }) => label),
    most,
  ).map((name) => shortLabel(name, most))
  return (
    <>
      <GridLines {...props} />
      <PointLayer {...props} onSelect={onSelectPoints}>
        {groups.map((group, place) => {
          const text = `${names[place]} ${group.extent}`
          const hasValue = group.value !== '' && `${text} ${group.value}`.length + 2 <= room
          return (
            <g
              key={group.group}
              ref={group.group === selected ? reveal : undefined}
              className={classes.mark}
              data-selected={group.group === selected || undefined}
              color={seriesColor(group.series)}
              {...buttonProps({ text: hasValue ? `${text}: ${group.value}` : text, words: group.words }, () =>
                onSelectGroup(group.group),
              )}
            >
              <title>{group.words}</title>
              <rect
                x={plot.x}
                y={plot.toY(-place)}
                width={plot.width}
                height={plot.toY(-1) - plot.toY(0)}
                fill="transparent"
              />
              <text x={plot.x + 4} y={plot.toY(-place - row.label)} dominantBaseline="central">
                {names[place]}{' '}
                <tspan className={classes.extent} dx={4}>
                  {group.extent}
                </tspan>
              </text>
              {hasValue && (
                <text
                  x={plot.x + plot.width - 4}
                  y={plot.toY(-place - row.label)}
                  textAnchor="end"
                  dominantBaseline="central"
                >
                  {` ${group.value}`}
                </text>
              )}
              {group.dot ? (
                <Dot dot={group.dot} middle={plot.toY(-place - row.middle)} plot={plot} />
              ) : (
                <Box group={group} place={place} plot={plot} />
              )}
            </g>
          )
        })}
      </PointLayer>
    </>
  )
}

type DotProps = { dot: NonNullable<BoxGroup['dot']>; middle: number; plot: Plot }

/** A rate with a whisker from end to end of its interval. */
function Dot({ dot: { value, interval }, middle, plot }: DotProps) {
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

function Box({ group, place, plot }: { group: BoxGroup; place: number; plot: Plot }) {
  const { q1, median, q3, lowerWhisker, upperWhisker, mean } = group
  if (q1 === null || median === null || q3 === null) return null
  const [top, middle, bottom] = [row.middle - row.half, row.middle, row.middle + row.half].map((share) =>
    plot.toY(-place - share),
  )
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
