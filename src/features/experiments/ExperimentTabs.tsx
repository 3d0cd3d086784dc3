import { Link, useLocation } from 'react-router'

import { type ExperimentTab, paths } from '#src/paths.ts'
import classes from './ExperimentTabs.module.css'

const tabs: readonly [tab: ExperimentTab, label: string][] = [
  ['overview', 'Overview'],
  ['definition', 'Definition'],
  ['runs', 'Runs'],
  ['results', 'Results'],
]

/** Links, since each tab has its own URL. */
export function ExperimentTabs({ id }: { id: string }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Experiment" className={classes.tabs}>
      {tabs.map(([tab, label]) => (
        <Link
          key={tab}
          to={paths.experiment(id, tab)}
          className={classes.tab}
          aria-current={pathname === paths.experiment(id, tab) ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
