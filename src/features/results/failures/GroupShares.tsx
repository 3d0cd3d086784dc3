import type { CSSProperties } from 'react'

import { shortNames } from '#src/charts/short-names.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { count, counted } from '#src/format/numbers.ts'
import classes from './GroupShares.module.css'
import { ShareBar } from './ShareBar.tsx'

/** Groups that a row shows; the others are counted. */
const shownGroups = 3

/** So many fit beside the bar at the usual width of the column. */
const mostLetters = 31

type GroupShare = { group: string; runs: number; ofRuns: number }

/** Groups, those with the largest share of their runs first. */
export const byShare = (groups: readonly GroupShare[]) =>
  groups.toSorted((a, b) => b.runs / b.ofRuns - a.runs / a.ofRuns || b.runs - a.runs)

type Props = {
  groups: readonly GroupShare[]
  /** How many groups there are, also without such runs. */
  groupCount: number
  /** What the runs of a group are: `runs on these prompts`. */
  ofWhich: (runs: number) => string
}

/** `All 9 groups, every run`; `8 of 9 groups, every run` and the others; or how many runs of each group. */
export function GroupShares({ groups, groupCount, ofWhich }: Props) {
  const sorted = byShare(groups)
  const whole = sorted.filter(({ runs, ofRuns }) => runs === ofRuns)
  if (whole.length === groupCount && groupCount > 1)
    return `${groupCount === 2 ? 'Both' : `All ${count(groupCount)}`} groups, every run`
  // The names of fewer fit, and say more.
  const isTogether = whole.length > shownGroups
  const names = shortNames(
    sorted.map(({ group }) => groupLabel(group)),
    mostLetters,
  )
  const from = isTogether ? whole.length : 0
  const shown = sorted.slice(from, from + shownGroups - Number(isTogether))
  const numbers = shown.map(({ runs, ofRuns }) => `${count(runs)}/${count(ofRuns)}`)
  const widest = Math.max(0, ...numbers.map((text) => text.length))
  const more = groups.length - from - shown.length
  return (
    <span className={classes.groups} style={{ '--number': `max(64px, ${widest}ch)` } as CSSProperties}>
      {isTogether && (
        <span title={whole.map(({ group }) => groupLabel(group)).join(', ')}>
          {count(whole.length)} of {count(groupCount)} groups, every run
        </span>
      )}
      {shown.map(({ group, runs, ofRuns }, place) => (
        <span key={group} className={classes.group}>
          <span title={groupLabel(group)}>{names[from + place]}</span>
          <ShareBar share={runs / ofRuns} label={`${count(runs)} of ${ofWhich(ofRuns)}`}>
            {numbers[place]}
          </ShareBar>
        </span>
      ))}
      {more > 0 && <small>{counted(more, 'more group')}</small>}
    </span>
  )
}
