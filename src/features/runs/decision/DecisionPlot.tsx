import { useMemo } from 'react'

import type { Decision } from '#contract/until-decided.ts'
import { BandPlot } from '#src/charts/bands/BandPlot.tsx'
import { usd } from '#src/format/money.ts'
import { count, counted, pointsText } from '#src/format/numbers.ts'

/** What the X axis counts. */
export type Over = 'runs' | 'money'

type Props = { decision: Decision; over: Over; label: string }

/** The difference after each complete prompt with both intervals, over runs or money, up to where the request would have ended. */
export function DecisionPlot({ decision, over, label }: Props) {
  const { looks, design, verdict } = decision
  const end = over === 'runs' ? design.runCount : costAtEnd(decision)
  const steps = useMemo(() => stepsOf(looks, over), [looks, over])
  const extent = useMemo(() => extentOf(looks, design.fewestPrompts), [looks, design.fewestPrompts])
  const timeAfter = (prompts: number) => steps.find((step) => step.prompts >= prompts)?.at
  const first = timeAfter(design.fewestPrompts)
  const decided = verdict?.isDecided ? timeAfter(verdict.comparison?.prompts ?? 0) : undefined
  return (
    <BandPlot
      label={label}
      x={{ label: over === 'runs' ? 'Runs' : 'Cost of runs', end, format: over === 'runs' ? count : usd }}
      y={{ ...extent, format: (value) => pointsText(value) }}
      steps={steps}
      marks={[
        ...(first === undefined ? [] : [{ at: first, name: null }]),
        ...(decided === undefined ? [] : [{ at: decided, name: 'Decided' }]),
      ]}
    />
  )
}

/** What the request would cost without an early stop: its runs at the mean cost so far, or its limit. */
function costAtEnd({ design, endedRuns, spentUsd, saved, verdict }: Decision) {
  const all = verdict || endedRuns === 0 ? spentUsd + (saved.costUsd ?? 0) : (spentUsd / endedRuns) * design.runCount
  return Math.max(spentUsd, Math.min(all, design.endUsd ?? Infinity))
}

const stepsOf = (looks: Decision['looks'], over: Over) =>
  looks.flatMap(({ runs, costUsd, prompts, difference, earlyInterval, endInterval }) => {
    if (endInterval === null) return []
    const inner = [endInterval.low, endInterval.high] as const
    const outer = earlyInterval ? ([earlyInterval.low, earlyInterval.high] as const) : inner
    return [
      {
        at: over === 'runs' ? runs : costUsd,
        value: difference,
        inner,
        outer,
        prompts,
        title: `${counted(prompts, 'complete prompt')}, ${counted(runs, 'run')}, ${usd(costUsd)}`,
        text: `${pointsText(difference)} points`,
        detail: `${inner.map((value) => pointsText(value)).join(' to ')}, or ${outer.map((value) => pointsText(value)).join(' to ')}`,
      },
    ]
  })

/** The first intervals are as wide as all that is possible, which would flatten the others. */
function extentOf(looks: Decision['looks'], fewestPrompts: number) {
  const values = looks.flatMap(({ prompts, earlyInterval, endInterval }) => {
    if (endInterval === null) return []
    const shown = prompts < fewestPrompts ? [endInterval] : [endInterval, earlyInterval]
    return shown.flatMap((interval) => (interval ? [interval.low, interval.high] : []))
  })
  return { low: Math.min(0, ...values), high: Math.max(0, ...values) }
}
