import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'

import type { Outcome } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Square } from '#src/ui/Square.tsx'
import squareClasses from '#src/ui/Square.module.css'
import { type StatusMark, outcomeMarks, runStatusMarks } from '#src/ui/status-marks.ts'
import classes from './TestStrip.module.css'
import { groupsWithTest } from './groups-with-test.ts'
import type { TestsOfRuns } from './use-request-tests.ts'

type Props = { requestTests: TestsOfRuns; runId: string; testName: string }

/**
 * The outcome of this test in every run of the request: one square per run, grouped by variant. Tab stops here once.
 */
export function TestStrip({ requestTests, runId, testName }: Props) {
  const { tests, isLoaded, isCapped, error } = requestTests
  if (error) return <p className={classes.note}>The other runs of this request could not be loaded: {error.message}</p>
  if (!isLoaded) return <p className={classes.note}>Loading the other runs of this request…</p>
  const outcomeOf = new Map(
    tests.filter((test) => test.testName === testName).map(({ runId: id, outcome }) => [id, outcome]),
  )
  const groups = groupsWithTest(requestTests, testName)
  const runCount = groups.reduce((sum, { runs }) => sum + runs.length, 0)
  return (
    <section aria-label="This test in every run of the request" className={classes.strip}>
      <p className={classes.note}>
        This test across {counted(runCount, 'run')}
        {isCapped && ' (more runs exist)'}
      </p>
      <div className={classes.groups}>
        {groups.map(({ variantId, runs }) => (
          <div key={variantId} className={classes.group}>
            <span className={classes.variant} title={nameOfAxes(variantId)}>
              {nameOfAxes(variantId)}
            </span>
            <ul className={squareClasses.squares} aria-label={nameOfAxes(variantId)}>
              {runs.map((run) => {
                const mark = markOf(outcomeOf.get(run.id), run.status, isCapped)
                const isHere = run.id === runId
                const label = `${nameOfAxes(variantId)} #${run.repeat}: ${mark.label}`
                return (
                  <li key={run.id}>
                    <Link
                      to={paths.test(run.id, testName)}
                      className={squareClasses.holder}
                      aria-current={isHere ? 'page' : undefined}
                      aria-label={label}
                      tabIndex={isHere ? 0 : -1}
                      onKeyDown={moveAlong}
                    >
                      <Square mark={{ ...mark, label }} />
                    </Link>
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

/** A run without this test's outcome shows its status instead. */
function markOf(outcome: Outcome | undefined, status: RunStatus, isCapped: boolean): StatusMark {
  if (outcome) return outcomeMarks[outcome]
  if (isCapped && status === 'completed') return { glyph: '·', tone: 'quiet', label: 'not loaded (too many tests)' }
  const { glyph, label } = runStatusMarks[status]
  return { glyph, tone: 'quiet', label: `${label.toLowerCase()}, without this test` }
}

const steps: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

function moveAlong(event: KeyboardEvent<HTMLElement>) {
  const step = steps[event.key]
  if (!step) return
  const squares = [...(event.currentTarget.closest('section')?.querySelectorAll('a') ?? [])]
  const at = squares.findIndex((square) => square === event.currentTarget)
  squares[at + step]?.focus()
  event.preventDefault()
}
