import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { paths } from '#src/paths.ts'
import { MiddleText } from '#src/ui/MiddleText.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { measures } from './measures.ts'
import classes from './SidePane.module.css'

type Props = { run: ChartRun; metrics: readonly ChartMetric[] }

/** One run behind a mark, with the numbers that put it there. */
export const RunLine = ({ run, metrics }: Props) => (
  <li>
    <TextLink className={classes.run} href={paths.run(run.id)}>
      <span className={classes.variant}>
        <MiddleText>{run.variantId}</MiddleText>
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
)
