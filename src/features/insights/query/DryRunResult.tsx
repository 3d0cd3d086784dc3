import type { QueryResult } from '#contract/queries.ts'
import { bytes, counted } from '#src/format/numbers.ts'
import classes from './QueryPage.module.css'

/** The result of a dry run. */
export function DryRunResult({ result: { compiledSql, estimate, columns } }: { result: QueryResult }) {
  return (
    <section className={classes.dryRun} aria-label="Dry run">
      <p className={classes.dryRunFacts}>
        Valid.{' '}
        {estimate &&
          `Would scan about ${counted(estimate.rows, 'row')} (${bytes(estimate.bytes)}) in ${counted(estimate.parts, 'part')} and ${counted(estimate.marks, 'mark')}. `}
        Returns {counted(columns.length, 'column')}: {columns.map(({ name, type }) => `${name} ${type}`).join(', ')}.
      </p>
      <pre className={classes.compiled}>{compiledSql}</pre>
    </section>
  )
}
