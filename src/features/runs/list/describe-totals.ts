import type { SolvedCounts } from '#contract/outcomes.ts'
import { count, counted, percent } from '#src/format/numbers.ts'

/** `3,600 runs, 1,302 solved (36.2 %)`; the hint says which runs do not count, if some don't. */
export function describeTotals(total: number, solved: SolvedCounts | null): { words: string; hint?: string } {
  const all = counted(total, 'run')
  if (!solved || solved.runs === 0) return { words: all }
  const rate = percent(solved.solved / solved.runs, 1)
  if (solved.runs >= total) return { words: `${all}, ${count(solved.solved)} solved (${rate})` }
  return {
    words: `${all}, ${count(solved.solved)} of ${count(solved.runs)} solved (${rate})`,
    hint: 'Runs that are unfinished, canceled, left out or without tests don’t count.',
  }
}
