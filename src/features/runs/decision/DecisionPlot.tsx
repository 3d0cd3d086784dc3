import { useMemo } from 'react'

import type { Decision, DecisionLook } from '#contract/until-decided.ts'
import { GridLines } from '#src/charts/GridLines.tsx'
import { niceAxis } from '#src/charts/nice-axis.ts'
import type { Plot } from '#src/charts/plot.ts'
import { PlotFrame } from '#src/charts/PlotFrame.tsx'
import { usd } from '#src/format/money.ts'
import { count, pointsText } from '#src/format/numbers.ts'
import classes from './Decision.module.css'

/** What the X axis counts. */
export type Over = 'runs' | 'money'

type Props = { decision: Decision; over: Over; label: string }

/** The difference after each complete prompt with both intervals, over runs or money, up to where the request would have ended. */
export function DecisionPlot({ decision, over, label }: Props) {
  const { looks, design, spentUsd, saved } = decision
  const at = (look: DecisionLook) => (over === 'runs' ? look.runs : look.costUsd)
  const end = over === 'runs' ? design.runCount : Math.max(spentUsd + (saved.costUsd ?? 0), design.endUsd ?? 0)
  const drawn = looks.filter(({ endInterval }) => endInterval !== null)
  const axes = useMemo(() => {
    const ends = drawn.flatMap(({ endInterval, earlyInterval, prompts }) =>
      // The first intervals are as wide as all that is possible, which would flatten the others.
      prompts < design.fewestPrompts ? [endInterval] : [endInterval, earlyInterval],
    )
    const values = ends.flatMap((interval) => (interval ? [interval.low, interval.high] : []))
    return { x: niceAxis(0, end), y: niceAxis(Math.min(0, ...values), Math.max(0, ...values)) }
  }, [drawn, end, design.fewestPrompts])
  const format = over === 'runs' ? count : usd
  return (
    <PlotFrame
      label={label}
      height={260}
      hint={null}
      axes={axes}
      x={{ label: over === 'runs' ? 'Runs' : 'Cost of runs', format }}
      y={{ format: (value) => pointsText(value) }}
    >
      {({ plot, size, backdrop }) => (
        <>
          <GridLines {...{ axes, plot, size, backdrop }} />
          <Marks {...{ plot, at, decision, drawn, end }} />
        </>
      )}
    </PlotFrame>
  )
}

type MarksProps = {
  plot: Plot
  at: (look: DecisionLook) => number
  decision: Decision
  drawn: readonly DecisionLook[]
  end: number
}

function Marks({ plot, at, decision: { design, verdict }, drawn, end }: MarksProps) {
  const bottom = plot.y + plot.height
  const yOf = (value: number) => Math.max(plot.y, Math.min(bottom, plot.toY(value)))
  const xOf = (look: DecisionLook) => plot.toX(at(look))
  const bandOf = (name: 'earlyInterval' | 'endInterval') => {
    const edge = (side: 'low' | 'high') => drawn.map((look) => `${xOf(look)},${yOf(look[name]?.[side] ?? 0)}`)
    return [...edge('high'), ...edge('low').toReversed()].join(' ')
  }
  const deciding = verdict?.isDecided
    ? drawn.find(({ prompts }) => prompts >= (verdict.comparison?.prompts ?? 0))
    : undefined
  const first = drawn.find(({ prompts }) => prompts >= design.fewestPrompts)
  const last = drawn.at(-1)
  return (
    <g className={classes.marks}>
      {first && <path className={classes.first} d={`M${xOf(first)},${plot.y}V${bottom}`} />}
      {last && at(last) < end && (
        <rect
          className={classes.saved}
          x={xOf(last)}
          y={plot.y}
          width={Math.max(0, plot.toX(end) - xOf(last))}
          height={plot.height}
        />
      )}
      <polygon className={classes.early} points={bandOf('earlyInterval')} />
      <polygon className={classes.end} points={bandOf('endInterval')} />
      <path className={classes.zero} d={`M${plot.x},${plot.toY(0)}H${plot.x + plot.width}`} />
      <polyline
        className={classes.line}
        points={drawn.map((look) => `${xOf(look)},${yOf(look.difference)}`).join(' ')}
      />
      {last && <circle className={classes.point} cx={xOf(last)} cy={yOf(last.difference)} r={3} />}
      {deciding && (
        <g className={classes.decided}>
          <path d={`M${xOf(deciding)},${plot.y}V${bottom}`} />
          <text
            x={xOf(deciding) + (xOf(deciding) > plot.x + plot.width * 0.75 ? -6 : 6)}
            y={plot.y + 12}
            textAnchor={xOf(deciding) > plot.x + plot.width * 0.75 ? 'end' : 'start'}
          >
            Decided
          </text>
        </g>
      )}
    </g>
  )
}
