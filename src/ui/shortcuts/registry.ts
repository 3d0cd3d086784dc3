type ShortcutGroup = 'Anywhere' | 'Go to' | 'Lists' | 'Definition' | 'Run' | 'Review'

export type Shortcut = { keys: string; does: string; group: ShortcutGroup }

/**
 * Every shortcut of the product. The help under `?` lists them, and `useShortcut` accepts no others. A space means
 * "then".
 */
export const shortcuts = {
  palette: { keys: 'mod+k', does: 'Open the command palette', group: 'Anywhere' },
  help: { keys: '?', does: 'Show keyboard shortcuts', group: 'Anywhere' },
  search: { keys: '/', does: 'Search this page, or everything where it has no search', group: 'Anywhere' },
  goHome: { keys: 'g h', does: 'Home', group: 'Go to' },
  goExperiments: { keys: 'g e', does: 'Experiments', group: 'Go to' },
  goRuns: { keys: 'g r', does: 'Runs', group: 'Go to' },
  goReports: { keys: 'g p', does: 'Reports', group: 'Go to' },
  goInsights: { keys: 'g i', does: 'Insights', group: 'Go to' },
  goContext: { keys: 'g c', does: 'Context', group: 'Go to' },
  goSecrets: { keys: 'g k', does: 'Secrets', group: 'Go to' },
  goCredits: { keys: 'g b', does: 'Credits', group: 'Go to' },
  goSettings: { keys: 'g s', does: 'Settings', group: 'Go to' },
  create: { keys: 'c', does: 'New experiment', group: 'Go to' },
  next: { keys: 'j', does: 'Next row or turn', group: 'Lists' },
  previous: { keys: 'k', does: 'Previous row or turn', group: 'Lists' },
  open: { keys: 'Enter', does: 'Open the row or turn', group: 'Lists' },
  closePane: { keys: 'Escape', does: 'Close the pane of runs', group: 'Lists' },
  push: { keys: 'mod+s', does: 'Push the definition', group: 'Definition' },
  nextFailure: { keys: 'n', does: 'Next failure (across runs)', group: 'Run' },
  previousFailure: { keys: 'p', does: 'Previous failure (across runs)', group: 'Run' },
  toTurn: { keys: 't', does: 'Jump to last mention of the test', group: 'Run' },
  toTest: { keys: 'b', does: 'Back to the test', group: 'Run' },
  outline: { keys: 'o', does: 'Outline of the transcript', group: 'Run' },
  tagByNumber: { keys: '1…9', does: 'Add or remove the tag with this number', group: 'Review' },
  undoTag: { keys: 'u', does: 'Add the removed tag again', group: 'Review' },
  nextRun: { keys: 'l', does: 'Next run', group: 'Review' },
  previousRun: { keys: 'h', does: 'Previous run', group: 'Review' },
  skipRun: { keys: 's', does: 'Skip to the next run without your tag', group: 'Review' },
  noteRun: { keys: 'm', does: 'Write a note', group: 'Review' },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts
