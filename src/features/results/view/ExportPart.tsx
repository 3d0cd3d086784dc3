import type { ChartMeasure } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { partSql } from '#src/shared/copy-as/chart-sql.ts'
import type { ChartScope, ChartPart } from '#src/shared/copy-as/sql-parts.ts'
import { statementCurl } from './copy-results.ts'
import classes from './SidePane.module.css'
import { ExportMenu } from './ExportMenu.tsx'

type Props = {
  experiment: Experiment
  scope: ChartScope
  part: ChartPart
  title: string
  quote: () => string
  metrics: readonly ChartMeasure[]
}

/** Clips and copies a part of a chart's runs with a query, because no API call of the chart returns just that part. */
export function ExportPart({ experiment, scope, part, title, quote, metrics }: Props) {
  const sql = () => partSql(scope, part, metrics)
  const curl = () => statementCurl(experiment.id, sql(), scope.parameters)
  return (
    <div className={classes.exportMenu}>
      <ExportMenu experiment={experiment} scope={scope} shown={{ title, quote, curl, sql, part }} />
    </div>
  )
}
