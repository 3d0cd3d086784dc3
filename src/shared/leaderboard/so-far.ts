import type { Unfinished } from '#contract/charts.ts'
import { count, counted } from '#src/format/numbers.ts'
import type { Answer } from './answer.ts'

/** Which ended runs do not count yet: quick runs end first, so they would be no fair sample. */
export function unfinishedText({ prompts, endedRuns }: Unfinished) {
  const rule = `Runs of ${counted(prompts, 'prompt')} are unfinished. A prompt counts once its runs and those of all prompts before it in the queue have ended`
  if (endedRuns === 0) return `${rule}.`
  return `${rule}, so ${counted(endedRuns, 'ended run')} ${endedRuns === 1 ? 'does' : 'do'} not count yet.`
}

/** The same beside other omissions: `37 ended runs of unfinished prompts do not count yet`. */
export const heldBackText = ({ endedRuns }: Unfinished) =>
  `${count(endedRuns)} ended ${endedRuns === 1 ? 'run' : 'runs'} of unfinished prompts ${endedRuns === 1 ? 'does' : 'do'} not count yet`

/** An answer that may change, because runs are unfinished or not included yet. */
export function answerSoFar(answer: Answer, unfinished: Unfinished | null): Answer {
  if (!unfinished) return { ...answer, verdict: lead(answer.verdict, 'So far') }
  const verdict = lead(answer.verdict, 'So far, on the prompts whose runs have all ended')
  return { ...answer, verdict, note: [unfinishedText(unfinished), answer.note].filter(Boolean).join(' ') }
}

/** A verdict starts with the name of a group, which keeps its letters, or with one of these words. */
const lead = (verdict: string, words: string) =>
  verdict.startsWith('No runs count yet')
    ? verdict
    : `${words}, ${verdict.replace(/^(No clear winner|No group solves|Not enough data|No run has|The top groups)\b/, (start) => start.toLowerCase())}`
