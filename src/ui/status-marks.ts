import { causeLabels, type InfrastructureCause } from '#contract/infrastructure.ts'
import { type Outcome, outcomes } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'

/** The look of a status: a color always comes with a glyph and a word. */
export type StatusMark = { glyph: string; label: string; tone: Tone }

/** The values of `data-tone` in status-marks.css. */
type Tone = 'passed' | 'failed' | 'unresolved' | 'errored' | 'skipped' | 'running' | 'waiting' | 'quiet'

export const outcomeMarks = {
  passed: { glyph: '✓', label: 'passed', tone: 'passed' },
  failed: { glyph: '✕', label: 'failed', tone: 'failed' },
  unresolved: { glyph: '?', label: 'unresolved', tone: 'unresolved' },
  errored: { glyph: '!', label: 'errored', tone: 'errored' },
  skipped: { glyph: '–', label: 'skipped', tone: 'skipped' },
} as const satisfies Record<Outcome, StatusMark>

export const runStatusMarks = {
  queued: { glyph: '○', label: 'Queued', tone: 'quiet' },
  waiting_for_ci: { glyph: '◔', label: 'Waiting for a build', tone: 'waiting' },
  running: { glyph: '◐', label: 'Running', tone: 'running' },
  completed: { glyph: '●', label: 'Completed', tone: 'quiet' },
  errored: { glyph: '!', label: 'Errored', tone: 'errored' },
  canceled: { glyph: '⊘', label: 'Canceled', tone: 'skipped' },
} as const satisfies Record<RunStatus, StatusMark>

/** A run that infrastructure ended or whose agent never started: no failure of its agent, so it does not look like one. */
export const leftOutMark = (cause: InfrastructureCause): StatusMark => ({
  glyph: '↯',
  label: `left out: ${causeLabels[cause]}`,
  tone: 'waiting',
})

/** The accessible text of a bar, such as `12 passed, 3 failed of 15`. */
export function describeCounts(counts: Record<Outcome, number>) {
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
  if (total === 0) return 'no tests'
  const parts = outcomes.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`)
  return `${parts.join(', ')} of ${total}`
}
