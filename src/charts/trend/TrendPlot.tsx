import { use, useMemo, useState } from 'react'
import { Brush, CartesianGrid, ComposedChart, Legend, Tooltip, XAxis, YAxis } from 'recharts'

import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { type AxisScale, niceScale } from '#src/charts/axis-scale.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { legendSize, SeriesLegend } from '#src/charts/SeriesLegend.tsx'
import { seriesOf } from '#src/charts/series.ts'
import { shortNames } from '#src/charts/short-names.ts'
import { tickNames } from '#src/charts/tick-names.ts'
import { FigureContext } from '#src/ui/FigureContext.ts'
import type { TrendLine, TrendProps } from './trend-line.ts'
import { areEndsApart, legendRows, namedInLegend, toTrendRows } from './trend-rows.ts'
import { trendSeries } from './trend-series.tsx'
import { useZoom } from './use-zoom.ts'

const heights = { whole: 320, small: 208 }
/** The parts of the height that are not the plot, and of the width. */
const around = { height: 44, axis: 60, end: 16 }
const letterWidth = 6.6
/** Of a legend: the plot keeps its height below any number of them. */
const legendRow = 22
const brushHeight = 28
const shares: AxisScale = { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1] }

const asItIs = (x: string) => x

/**
 * Values over versions or time: a line per group, and points with their 95 % intervals. A line has its name at its end
 * where the names don't cover each other, else the names are in a legend.
 */
export function TrendPlot({
  label,
  xs,
  lines,
  format,
  axis,
  formatX = asItIs,
  isSmall = false,
  zooming,
  selected = null,
  onSelect,
}: TrendProps) {
  const [width, setWidth] = useState(0)
  const [shown, setShown] = useState<string | null>(null)
  // Runs that open beside the plot make it narrower, and its tooltip would stay where it was.
  const [chosenStep, setChosenStep] = useState<number | null>(null)
  const plotHeight = isSmall ? heights.small : heights.whole
  const scale = useMemo(() => (axis ? niceScale(axis.low, axis.high, axis.unit) : shares), [axis])
  const rows = useMemo(() => toTrendRows(xs, lines, scale.domain), [xs, lines, scale])
  const { shown: shownRows, brush } = useZoom(rows, xs, zooming, use(FigureContext) === 'page')
  const [firstStep, lastStep] =
    shownRows.length < rows.length ? [shownRows[0]?.step ?? 0, shownRows.at(-1)?.step ?? 0] : [0, xs.length - 1]
  const stepCount = lastStep - firstStep + 1
  const places = seriesOf(lines.map((line) => line.label))
  const seriesAt = (line: string) => places.get(line) ?? 0
  const names = shortNames(
    lines.map((line) => line.label),
    width < 560 ? 12 : isSmall ? 20 : 32,
  )
  const room = Math.max(0, ...names.map(({ length }) => length)) * letterWidth + 12
  const [low, high] = scale.domain
  const isDirect =
    width >= 400 && room < width * 0.3 && areEndsApart(shownRows, (plotHeight - around.height) / (high - low))
  const mostNamed = isSmall ? legendSize.small : legendSize.whole
  const wholeHeight = plotHeight + (brush ? brushHeight + 8 : 0)
  const height = isDirect
    ? wholeHeight
    : wholeHeight + legendRow * (legendRows(namedInLegend(lines, mostNamed), width) - 1)
  const right = isDirect ? room : around.end
  // Lines stand a few pixels apart, so that intervals of one version do not cover each other.
  const apart = Math.min(10, (Math.max(1, width - around.axis - right) * 0.6) / (stepCount * Math.max(1, lines.length)))
  const shiftOf = (place: number) => (place - (lines.length - 1) / 2) * apart
  const nameOfStep = (step: number) => formatX(xs[step] ?? '')
  const placeAt = (line: TrendLine, step: number) => line.places.find(({ x }) => x === xs[step])
  const wordsOf = (line: TrendLine, step: number) => {
    const { text, detail } = placeAt(line, step) ?? { text: '', detail: '' }
    return `${line.label}, ${nameOfStep(step)}: ${text}, ${detail}`
  }
  const readingsAt = (step: number) => ({
    title: nameOfStep(step),
    readings: lines.flatMap((line) => {
      const at = placeAt(line, step)
      return at ? [{ ...at, key: line.label, series: seriesAt(line.label), name: line.label }] : []
    }),
  })
  return (
    <ChartFrame label={label} height={height} onWidth={setWidth}>
      <ComposedChart
        data={brush ? rows : shownRows}
        {...pictureOf(label)}
        margin={{ top: 12, right, bottom: 0, left: 0 }}
        onMouseMove={() => setChosenStep(null)}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...axisLooks}
          dataKey="step"
          type="number"
          domain={[firstStep - 0.5, lastStep + 0.5]}
          allowDataOverflow
          ticks={Array.from({ length: stepCount }, (_, place) => firstStep + place)}
          tickFormatter={nameOfStep}
          interval="equidistantPreserveStart"
          axisLine={false}
          tickMargin={8}
        />
        <YAxis
          {...axisLooks}
          {...scale}
          width="auto"
          interval={0}
          axisLine={false}
          tickFormatter={tickNames(scale.ticks, format)}
        />
        {!isDirect && lines.length > 1 && (
          <Legend
            verticalAlign="top"
            align="left"
            content={
              <SeriesLegend
                most={mostNamed}
                entries={lines.map((line) => ({ name: line.label, series: seriesAt(line.label) }))}
                shown={shown}
                onShow={setShown}
              />
            }
          />
        )}
        {lines.map((line, place) =>
          trendSeries({
            place,
            series: seriesAt(line.label),
            shift: shiftOf(place),
            widestShift: shiftOf(lines.length - 1),
            look: shown === null ? 'usual' : shown === line.label ? 'shown' : 'faint',
            name: isDirect ? { text: names[place] ?? '', at: shownRows.length - 1, whole: line.label } : null,
            onShow: (isShown) => setShown(isShown ? line.label : null),
            opening: onSelect && {
              selected,
              onSelect: (group, step) => {
                setChosenStep(step)
                onSelect(group)
              },
              wordsOf: (step) => wordsOf(line, step),
              lastStep: shownRows.findLast(({ values }) => values[place] !== null)?.step,
            },
          }),
        )}
        {brush && (
          <Brush
            {...brush}
            dataKey="step"
            height={brushHeight}
            travellerWidth={10}
            tickFormatter={nameOfStep}
            stroke="var(--line-strong)"
            fill="var(--surface-sunken)"
            ariaLabel="Shown part"
          />
        )}
        <Tooltip
          {...tooltipLooks}
          cursor={chosenStep === null && { stroke: 'var(--line-strong)' }}
          content={<ChartTooltip read={({ label: step }) => (step === chosenStep ? null : readingsAt(Number(step)))} />}
        />
      </ComposedChart>
    </ChartFrame>
  )
}
