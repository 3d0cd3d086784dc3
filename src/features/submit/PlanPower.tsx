import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { ChartParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import type { Variant } from '#contract/variants.ts'
import { chartOptions } from '#src/api/charts.ts'
import { defaultGrouping } from '#src/shared/leaderboard/groupings.ts'
import { toRows, toSolvedRuns } from '#statistics/leaderboard/leaderboard-rows.ts'
import { estimateVariance } from '#statistics/leaderboard/plan-power.ts'
import { planOfVariants } from './plan-of-variants.ts'
import { planWords } from './plan-words.ts'
import classes from './SubmitForm.module.css'

type Props = { experiment: Experiment; variants: readonly Variant[]; repeat: number }

/** The smallest difference that the selected runs can show, before they are paid for. */
export function PlanPower({ experiment, variants, repeat }: Props) {
  const groupBy = useMemo(() => defaultGrouping(experiment), [experiment])
  const { data, error } = useQuery(chartOptions('leaderboard', experiment.id, ChartParameters.parse({ groupBy })))
  const earlier = useMemo(() => {
    if (!data) return null
    const rows = toRows(data, 'prompts like these')
    const variance = estimateVariance(rows.map((row) => toSolvedRuns(row).prompts))
    return { variance, runs: rows.reduce((sum, { counted }) => sum + counted, 0) }
  }, [data])
  if (error)
    return <p className={classes.power}>Earlier runs could not be loaded, so what this plan can show is unknown.</p>
  if (!earlier) return <p className={classes.power}>Loading what earlier runs say about this plan…</p>
  const words = planWords(
    planOfVariants(variants, repeat, groupBy, experiment.promptTasks),
    earlier.variance,
    earlier.runs,
  )
  if (!words) return null
  return (
    <section aria-label="What this plan can show" aria-live="polite" className={classes.power}>
      <b>{words.shows}</b>
      {words.more && <span>{words.more}</span>}
      <small>{words.basis}</small>
    </section>
  )
}
