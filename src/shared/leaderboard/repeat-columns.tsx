import { counted } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type MeanOverPrompts, passAtK, passToK } from '#statistics/leaderboard/pass-at-k.ts'
import type { Scope } from '#statistics/scope.ts'
import { intervalCsv } from './interval-csv.ts'
import { RateBar } from './RateBar.tsx'

const maxK = 10

/** pass@k and pass^k for every k from 2 to the repeats that all groups have. */
export function repeatColumns(rows: readonly LeaderboardRow[], scope: Scope) {
  const repeats = Math.min(maxK, ...rows.filter((row) => row.counted > 0).map((row) => row.repeats))
  if (!Number.isFinite(repeats)) return []
  return Array.from({ length: Math.max(0, repeats - 1) }, (_, index) => index + 2).flatMap((k) => [
    repeatColumn(`passAt${k}`, `pass@${k}`, {
      hint: `Chance that at least one of ${k} runs solves a prompt. ${intervalHint[scope]}`,
      of: (row) => passAtK([...row.prompts.values()], k, scope),
    }),
    repeatColumn(`passTo${k}`, `pass^${k}`, {
      hint: `Chance that all of ${k} runs solve a prompt. ${intervalHint[scope]}`,
      of: (row) => passToK([...row.prompts.values()], k, scope),
    }),
  ])
}

const intervalHint: Record<Scope, string> = {
  'prompts like these': 'The whiskers are its 95 % interval for prompts like these.',
  'these prompts': 'The whiskers are its 95 % interval for these prompts.',
}

type Repeated = { hint: string; of: (row: LeaderboardRow) => MeanOverPrompts }

const repeatColumn = (id: string, header: string, { hint, of }: Repeated): Column<LeaderboardRow> => ({
  id,
  header,
  hint,
  cell: (row) => {
    const { mean, interval, prompts } = of(row)
    return (
      <RateBar
        rate={{ share: mean, interval, runs: row.counted }}
        extent={`over ${counted(prompts, 'prompt')}`}
        hasRange={false}
      />
    )
  },
  value: (row) => of(row).mean,
  csv: intervalCsv(header, (row) => of(row).interval),
  width: '160px',
  optional: true,
})
