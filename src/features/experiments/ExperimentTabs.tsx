import { Link, useLocation } from 'react-router'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { savedViewListOptions } from '#src/api/saved-views.ts'
import { type ExperimentTab, paths } from '#src/paths.ts'
import { startOf } from '#src/shared/saved-views/saved-view-links.ts'
import { showWholeTab } from '#src/ui/show-whole-tab.ts'
import tabRow from '#src/ui/tabs.module.css'
import classes from './ExperimentTabs.module.css'

const tabs: readonly [tab: ExperimentTab, label: string][] = [
  ['overview', 'Overview'],
  ['definition', 'Definition'],
  ['runs', 'Runs'],
  ['results', 'Results'],
  ['tasks', 'Tasks'],
  ['schedules', 'Schedules'],
]

/** Links, since each tab has its own URL, and its own title in the browser's tabs. Each view of the results has its own. */
export function ExperimentTabs({ id, name }: { id: string; name: string }) {
  const { pathname } = useLocation()
  const { rows: views } = useInfiniteList(savedViewListOptions())
  const hrefOf = (tab: ExperimentTab) =>
    tab === 'runs' || tab === 'results'
      ? startOf(views, { page: tab === 'runs' ? 'experimentRuns' : 'experimentResults', experimentId: id })
      : paths.experiment(id, tab)
  // The overview leads to the commits, which have no tab of their own.
  const isCommits = pathname === paths.commits(id)
  const isShown = (tab: ExperimentTab) => {
    const href = paths.experiment(id, tab)
    if (tab === 'overview' && isCommits) return true
    return pathname === href || (tab === 'tasks' && pathname.startsWith(`${href}/`))
  }
  const shown = isCommits ? 'Commits' : tabs.find(([tab]) => isShown(tab))?.[1]
  return (
    <>
      {shown !== 'Results' && shown !== 'Tasks' && <title>{`${name} · ${shown ?? 'Experiment'} · Assay`}</title>}
      <nav aria-label="Experiment" className={`${tabRow.tabs} ${classes.tabs}`}>
        {tabs.map(([tab, label]) => {
          const isCurrent = isShown(tab)
          return (
            <Link
              key={tab}
              to={hrefOf(tab)}
              className={tabRow.tab}
              aria-current={isCurrent ? 'page' : undefined}
              ref={isCurrent ? showWholeTab : undefined}
            >
              {label}
            </Link>
          )
        })}
      </nav>
    </>
  )
}
