import type { RetentionKind } from '#contract/retention.ts'
import { counted } from '#src/format/numbers.ts'

export const kindLabels: Record<RetentionKind, string> = {
  transcripts: 'Transcripts',
  outputs: 'Output of tests',
  changes: 'Changed files',
  runs: 'Whole runs',
  notifications: 'Notifications',
  deliveries: 'Delivery logs',
}

export const kindHelp: Record<RetentionKind, string> = {
  transcripts: 'What agents said and did, turn by turn. The numbers of turns, tokens and costs are kept.',
  outputs: 'What tests printed. Their outcomes stay.',
  changes: 'Files and artifacts that agents left behind.',
  runs: 'Runs with all their data. Charts and live figures that include them change. Their cost still counts in Usage. Runs with labels are kept.',
  notifications: 'Entries in the feeds of members, for at most 365 days.',
  deliveries: 'The logs of webhooks and email, for at most 30 days.',
}

/** What an empty field does. */
export const emptyMeans: Record<RetentionKind, string> = {
  transcripts: 'Forever',
  outputs: 'Forever',
  changes: 'Forever',
  runs: 'Forever',
  notifications: '365',
  deliveries: '30',
}

/** `3 transcripts`, `1 run`. */
export function amountOf(kind: RetentionKind, count: number) {
  switch (kind) {
    case 'transcripts':
      return counted(count, 'transcript')
    case 'outputs':
      return counted(count, 'run’s test output', 'runs’ test output')
    case 'changes':
      return counted(count, 'run’s changed files', 'runs’ changed files')
    case 'runs':
      return counted(count, 'whole run')
    case 'notifications':
      return counted(count, 'notification')
    case 'deliveries':
      return counted(count, 'delivery', 'deliveries')
  }
}
