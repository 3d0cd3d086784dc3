import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { paths } from '#src/paths.ts'
import { reveal } from '#src/ui/reveal.ts'
import tabRow from '#src/ui/tabs.module.css'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './RunViews.module.css'

/** One view of a run besides its tests and transcript. `id` is in the URL. */
export type RunView = { id: string; label: string; content: ReactNode }

type Props = { runId: string; views: readonly RunView[]; children: ReactNode }

/** The tests and the transcript of a run, or one of its other views. A run without other views shows no tabs. */
export function RunViews({ runId, views, children }: Props) {
  const url = useQueryState()
  const chosen = url.one('view')
  const shown = views.find(({ id }) => id === chosen)
  if (views.length === 0) return children
  const tabs = [{ id: '', label: 'Tests and transcript' }, ...views]
  return (
    <>
      <nav aria-label="Views of the run" className={tabRow.tabs}>
        {tabs.map(({ id, label }) => {
          const isShown = id === (shown?.id ?? '')
          return (
            <Link
              key={id}
              // On a phone the last tabs are outside the row, which scrolls.
              ref={isShown ? reveal : undefined}
              to={paths.run(runId, { view: id, from: url.one('from') })}
              className={tabRow.tab}
              aria-current={isShown ? 'page' : undefined}
            >
              {label}
            </Link>
          )
        })}
      </nav>
      {shown ? <div className={classes.content}>{shown.content}</div> : children}
    </>
  )
}
