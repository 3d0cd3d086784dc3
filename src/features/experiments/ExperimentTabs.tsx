import { Link, useLocation } from 'react-router'

import { type ExperimentTab, paths } from '#src/paths.ts'
import classes from './ExperimentTabs.module.css'

const tabs: readonly [tab: ExperimentTab, label: string][] = [
  ['overview', 'Overview'],
  ['definition', 'Definition'],
  ['runs', 'Runs'],
  ['results', 'Results'],
]

/** Links, since each tab has its own URL, and its own title in the browser's tabs. */
export function ExperimentTabs({ id, name }: { id: string; name: string }) {
  const { pathname } = useLocation()
  const shown = tabs.find(([tab]) => pathname === paths.experiment(id, tab))?.[1]
  return (
    <>
      <title>{`${name} · ${shown ?? 'Experiment'} · Assay`}</title>
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
    </>
  )
}
