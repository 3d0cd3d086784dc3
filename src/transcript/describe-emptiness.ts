type Emptiness = { isAvailable: boolean; isLive: boolean; isImported: boolean; removed?: string | undefined }

/** Why a transcript shows no turns. */
export function describeEmptiness({ isAvailable, isLive, isImported, removed }: Emptiness) {
  if (isLive) return { title: 'Waiting for output', hint: 'Turns appear here as the agent produces them.' }
  if (removed) return { title: 'Transcript removed', hint: removed }
  if (isImported)
    return { title: 'No transcript', hint: 'This run was imported, and its transcript was not published.' }
  if (!isAvailable) return { title: 'No transcript', hint: 'This run has no stored transcript.' }
  return { title: 'Empty transcript', hint: 'The agent produced no output.' }
}
