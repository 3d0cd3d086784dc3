import { Link, useSearchParams } from 'react-router'

import { changeQuery } from '#src/url/use-query-state.ts'
import { type ResultsView, closedPane } from '#src/features/results/view/results-parameters.ts'
import classes from './ViewTabs.module.css'

const tabs: readonly [view: ResultsView, label: string][] = [
  ['heatmap', 'Heatmap'],
  ['scatter', 'Scatter'],
  ['metric', 'Metric'],
  ['compare', 'Compare'],
  ['flaky', 'Flaky & uninformative tests'],
]

/** The ways to look at the same runs; filters stay when the view changes. */
export function ViewTabs({ view }: { view: ResultsView }) {
  const [search] = useSearchParams()
  return (
    <nav aria-label="Results" className={classes.tabs}>
      {tabs.map(([tab, label]) => (
        <Link
          key={tab}
          to={{ search: changeQuery(search, { view: tab === 'heatmap' ? null : tab, ...closedPane }).toString() }}
          className={classes.tab}
          aria-current={tab === view ? 'page' : undefined}
          preventScrollReset
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
