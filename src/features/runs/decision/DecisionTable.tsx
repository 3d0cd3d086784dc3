import type { Decision } from '#contract/until-decided.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { usd } from '#src/format/money.ts'
import { count, pointsText } from '#src/format/numbers.ts'
import { formatP } from '#src/format/p-values.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import classes from './Decision.module.css'

type Ends = { low: number; high: number } | null

const rangeOf = (interval: Ends) => (interval ? `${pointsText(interval.low)} to ${pointsText(interval.high)}` : '–')

/** The plot as a table, newest look first. */
export function DecisionTable({ decision: { looks, design } }: { decision: Decision }) {
  const hasSeveral = design.groups.length > 2
  return (
    <ScrollRegion label="Looks" className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Prompts</th>
            {hasSeveral && <th scope="col">Ahead</th>}
            {hasSeveral && <th scope="col">Closest</th>}
            <th scope="col">Runs</th>
            <th scope="col">Cost</th>
            <th scope="col">Points</th>
            <th scope="col">p</th>
            <th scope="col">Interval at the end</th>
            <th scope="col">Interval that stops</th>
          </tr>
        </thead>
        <tbody>
          {looks.toReversed().map((look) => (
            <tr key={look.prompts}>
              <td>{count(look.prompts)}</td>
              {hasSeveral && <td>{groupLabel(look.left)}</td>}
              {hasSeveral && <td>{groupLabel(look.right)}</td>}
              <td>{count(look.runs)}</td>
              <td>{usd(look.costUsd)}</td>
              <td>{pointsText(look.difference)}</td>
              <td>{formatP(look.pValue)}</td>
              <td>{rangeOf(look.endInterval)}</td>
              <td>{rangeOf(look.earlyInterval)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
