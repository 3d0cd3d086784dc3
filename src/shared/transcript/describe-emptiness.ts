type Emptiness = {
  isAvailable: boolean
  isLive: boolean
  isImported: boolean
  removed?: string | undefined
  /** The page shows above how the agent ended, with what it printed on stderr. */
  stderrIsAbove?: boolean
}

/** Why a transcript shows no turns. */
export function describeEmptiness({ isAvailable, isLive, isImported, removed, stderrIsAbove }: Emptiness) {
  if (isLive) return { title: 'Waiting for output', hint: 'Turns appear here as the agent produces them.' }
  if (removed) return { title: 'Transcript removed', hint: removed }
  if (isImported)
    return { title: 'No transcript', hint: 'This run was imported, and its transcript was not published.' }
  if (!isAvailable) return { title: 'No transcript', hint: 'This run has no stored transcript.' }
  const hint = stderrIsAbove
    ? 'The agent printed no message, call or result on stdout. What it printed on stderr is above.'
    : 'The agent printed no message, call or result on stdout.'
  return { title: 'Empty transcript', hint }
}
