import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { isImportedRun } from '#contract/run-status.ts'
import { describeEmptiness } from '#src/transcript/describe-emptiness.ts'
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
  expect(describeEmptiness(silent).hint).toBe('The agent produced no output.')
})

test('an imported test without output says that its output was not published', () => {
  const words = (isImported: boolean) =>
    renderToStaticMarkup(<TestTails test={{ stdoutTail: '', stderrTail: '' }} isImported={isImported} />)
  expect(words(true)).toContain('The output of this test was not published.')
  expect(words(false)).toContain('No output.')
})
