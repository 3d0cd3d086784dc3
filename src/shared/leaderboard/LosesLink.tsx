import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Solved } from '#statistics/leaderboard/pass-at-k.ts'
import { TextLink } from '#src/ui/TextLink.tsx'

type Props = {
  /** The best rank first. */
  rows: readonly LeaderboardRow[]
  /** Compares two groups by solved runs. */
  hrefOf: (pair: { left: string; right: string }) => string
}

type Tallied = Pick<LeaderboardRow, 'prompts'>

const shareOf = ({ solved, runs }: Solved) => solved / runs

/** Whether the second group solves a prompt more often than the first, of at least two that both have runs on. */
export function losesAny({ prompts }: Tallied, { prompts: others }: Tallied) {
  const shared = [...prompts].flatMap(([prompt, own]) => {
    const other = others.get(prompt)
    return other ? [{ own, other }] : []
  })
  return shared.length > 1 && shared.some(({ own, other }) => shareOf(own) < shareOf(other))
}

/** Leads to the prompts on which the first group loses to the second, where there are any. */
export function LosesLink({ rows, hrefOf }: Props) {
  const [best, second] = rows.filter(({ counted }) => counted > 0)
  if (!best || !second) return null
  if (!losesAny(best, second)) return null
  const href = hrefOf({ left: best.group, right: second.group })
  return (
    <TextLink href={href}>
      On which prompts does {best.label} lose to {second.label}?
    </TextLink>
  )
}
