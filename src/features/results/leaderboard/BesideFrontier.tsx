import { lazy, type ReactNode, Suspense, use } from 'react'

import { FigureContext } from '#src/ui/FigureContext.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import classes from './BesideFrontier.module.css'

const SolvedByCost = lazy(async () => ({ default: (await import('./SolvedByCost.tsx')).SolvedByCost }))

const height = 280

type Props = { rows: readonly LeaderboardRow[]; selected: string | null; children: ReactNode }

/** A table of groups with what they solve against what that costs, where two of them have a cost. */
export function BesideFrontier({ rows, selected, children }: Props) {
  const isFigure = use(FigureContext) !== 'page'
  if (isFigure || rows.filter(({ costPerSolved }) => costPerSolved !== null).length < 2) return children
  return (
    <div className={classes.container}>
      <div className={classes.parts}>
        {children}
        <Suspense>
          <SolvedByCost {...{ rows, selected, height }} />
        </Suspense>
      </div>
    </div>
  )
}
