import type { ReactNode } from 'react'

import { measuredValue } from '#contract/score-measures.ts'
import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMeasure } from '#contract/charts.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { paths } from '#src/paths.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { measureOf } from './measures.ts'
import classes from './SidePane.module.css'

type Line = Pick<ChartRun, 'runId' | 'variantId' | 'repeat' | 'mock' | 'endedAt'>

type LinesProps<Run> = {
  runs: readonly Run[]
  hrefOf: (run: Run) => string
  factsOf?: (run: Run) => ReactNode
}

/** Runs as links, each named by what its variant does not share with the others; `Run #2` if they share all of it. */
export function RunLines<Run extends Line>({ runs, hrefOf, factsOf }: LinesProps<Run>) {
  const variants = runs.map(({ variantId }) => nameOfAxes(variantId))
  const areAlike = runs.length > 1 && new Set(variants).size === 1
  const names = areAlike ? variants.map(() => 'Run') : unsharedNames(variants)
  return (
    <ul className={classes.list}>
      {runs.map((run, place) => (
        <li key={run.runId}>
          <TextLink className={classes.run} href={hrefOf(run)}>
            <span className={classes.variant}>
              <TruncatedText whole={nameOfAxes(run.variantId)}>{names[place] ?? ''}</TruncatedText>
            </span>
            <span className={classes.fact}>#{run.repeat}</span>
            {run.mock && <span className={classes.fact}>mock</span>}
            {factsOf?.(run)}
            <span className={classes.fact}>
              <RelativeTime at={run.endedAt} />
            </span>
          </TextLink>
        </li>
      ))}
    </ul>
  )
}

/** The runs of a mark with their values. */
export const MeasuredRunLines = ({
  runs,
  metrics,
}: {
  runs: readonly ChartRun[]
  metrics: readonly ChartMeasure[]
}) => (
  <RunLines
    runs={runs}
    hrefOf={({ id }) => paths.run(id)}
    factsOf={(run) =>
      metrics.map((metric) => (
        <span key={metric} className={classes.fact} title={measureOf(metric).label}>
          {measureOf(metric).format(measuredValue(run, metric))}
        </span>
      ))
    }
  />
)
