import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { paths } from '#src/paths.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { measures } from './measures.ts'
import classes from './SidePane.module.css'

type Props = { runs: readonly ChartRun[]; metrics: readonly ChartMetric[] }

/** The runs of a mark with their values. */
export function RunLines({ runs, metrics }: Props) {
  const names = unsharedNames(runs.map(({ variantId }) => variantId))
  return (
    <ul className={classes.list}>
      {runs.map((run, place) => (
        <li key={run.runId}>
          <TextLink className={classes.run} href={paths.run(run.id)}>
            <span className={classes.variant}>
              <TruncatedText whole={run.variantId}>{names[place] ?? ''}</TruncatedText>
            </span>
            <span className={classes.fact}>#{run.repeat}</span>
            {run.mock && <span className={classes.fact}>mock</span>}
            {metrics.map((metric) => (
              <span key={metric} className={classes.fact} title={measures[metric].label}>
                {measures[metric].format(run.metrics[metric])}
              </span>
            ))}
            <span className={classes.fact}>
              <RelativeTime at={run.endedAt} />
            </span>
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
