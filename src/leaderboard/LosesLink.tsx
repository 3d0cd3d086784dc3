import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './Leaderboard.module.css'

type Props = {
  /** The highest solved rate first. */
  rows: readonly LeaderboardRow[]
  /** Compares two groups by solved runs. */
  hrefOf: (pair: { left: string; right: string }) => string
}

/** Leads to the tasks that the first group loses to the second. */
export function LosesLink({ rows, hrefOf }: Props) {
  const [best, second] = rows.filter(({ counted }) => counted > 0)
  if (!best || !second) return null
  const shared = best.prompts.keys().filter((prompt) => second.prompts.has(prompt))
  if (shared.take(2).toArray().length < 2) return null
  return (
    <TextLink className={classes.loses} href={hrefOf({ left: best.group, right: second.group })}>
      On which prompts does {best.label} lose to {second.label}?
    </TextLink>
  )
}
