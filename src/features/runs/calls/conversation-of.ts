import { isTerminal } from '#contract/run-status.ts'
import type { Run } from '#contract/runs.ts'
import { transcriptOptions } from '#src/api/transcripts.ts'

/** The transcript of which the calls of a run are compared: the one that the page shows. */
export const conversationOf = ({ id, status }: Pick<Run, 'id' | 'status'>) =>
  transcriptOptions(id, { reasoning: false, isLive: !isTerminal(status), runSeenAt: 0 })
