import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { removalText } from '#contract/retention.ts'
import { isImportedRun } from '#contract/run-status.ts'
import { describeEmptiness } from '#src/shared/transcript/describe-emptiness.ts'
import { saysStderr } from '#src/shared/transcript/says-stderr.ts'
import { TestTails } from '#src/ui/TestTails.tsx'

test('a run that was never queued here was imported', () => {
  expect(isImportedRun({ statusHistory: [{ status: 'running' }, { status: 'completed' }] })).toBe(true)
  expect(isImportedRun({ statusHistory: [{ status: 'errored' }] })).toBe(true)
  expect(isImportedRun({ statusHistory: [{ status: 'queued' }, { status: 'running' }] })).toBe(false)
  expect(isImportedRun({ statusHistory: [{ status: 'waiting_for_ci' }] })).toBe(false)
  expect(isImportedRun({ statusHistory: [] })).toBe(false)
})

test('an imported run without a transcript says that none was published, not that the agent said nothing', () => {
  const ended = { isLive: false, isAvailable: false }
  expect(describeEmptiness({ ...ended, isImported: true }).hint).toMatch('its transcript was not published')
  expect(describeEmptiness({ ...ended, isImported: false }).hint).toBe('This run has no stored transcript.')
  const silent = { isLive: false, isAvailable: true, isImported: false }
  expect(describeEmptiness(silent).hint).toBe('The agent printed no message, call or result on stdout.')
})

test('an agent that printed only on stderr is not said to have printed nothing', () => {
  const silent = { isLive: false, isAvailable: true, isImported: false }
  const hintOf = (statusReason?: string) =>
    describeEmptiness({ ...silent, stderrIsAbove: saysStderr({ statusReason }) }).hint
  expect(hintOf('The agent exited with code 3\noh dear')).toMatch('What it printed on stderr is above.')
  expect(hintOf('The agent exited with code 3')).toBe('The agent printed no message, call or result on stdout.')
  expect(hintOf(undefined)).toBe('The agent printed no message, call or result on stdout.')
})

test('a transcript and an output that retention removed say when and why, not that the agent said nothing', () => {
  const removals = [
    { kind: 'transcripts' as const, at: '2026-11-23T10:00:00.000000Z', keptDays: 90 },
    { kind: 'outputs' as const, at: '2026-11-23T10:00:00.000000Z', keptDays: 30 },
  ]
  const removed = removalText(removals, 'transcripts')
  expect(removed).toBe('Removed on 23 November 2026 by the organization’s retention: transcripts are kept for 90 days.')
  const ended = { isLive: false, isAvailable: false, isImported: true }
  expect(describeEmptiness({ ...ended, removed })).toEqual({ title: 'Transcript removed', hint: removed })
  const silent = { test: { stdoutTail: '', stderrTail: '' }, isImported: false }
  const shown = renderToStaticMarkup(<TestTails {...silent} removed={removalText(removals, 'outputs')} />)
  expect(shown).toContain('the output of tests is kept for 30 days.')
  expect(removalText(removals, 'changes')).toBeUndefined()
})

test('an imported test without output says that its output was not published', () => {
  const words = (isImported: boolean) =>
    renderToStaticMarkup(<TestTails test={{ stdoutTail: '', stderrTail: '' }} isImported={isImported} />)
  expect(words(true)).toContain('The output of this test was not published.')
  expect(words(false)).toContain('No output.')
})
