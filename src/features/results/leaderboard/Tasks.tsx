import { lazy, Suspense, useState } from 'react'

import { PageOnly } from '#src/ui/PageOnly.tsx'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import classes from './WhoseFailure.module.css'

const TaskTable = lazy(async () => ({ default: (await import('./TaskTable.tsx')).TaskTable }))

/** The tasks as measures, which are computed once they are asked for. Nothing for a single group or task. */
export function Tasks({ rows }: { rows: readonly LeaderboardRow[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const known = rows.filter(({ counted }) => counted > 0)
  const prompts = new Set(known.flatMap((row) => [...row.prompts.keys()])).size
  if (known.length < 2 || prompts < 2) return null
  return (
    <PageOnly>
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.summary}>How hard each prompt is, and how well it tells groups apart</summary>
        <Suspense>{isOpen && <TaskTable rows={known} />}</Suspense>
      </details>
    </PageOnly>
  )
}
