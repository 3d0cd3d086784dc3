import { useEffect, useRef } from 'react'

import type { CapturedTest } from '#contract/runs.ts'
import { milliseconds } from '#src/format/durations.ts'
import { AnsiText } from '#src/ui/AnsiText.tsx'
import { MiddleText } from '#src/ui/MiddleText.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from './TestItem.module.css'

type Props = {
  test: CapturedTest
  isOpen: boolean
  /** The URL names this test, so it is brought into view. */
  isAsked: boolean
  onToggle: () => void
}

export function TestItem({ test, isOpen, isAsked, onToggle }: Props) {
  const item = useRef<HTMLLIElement>(null)
  // Browser API: scrolling the list to the test a link or a key leads to.
  useEffect(() => {
    if (isAsked) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isAsked])
  return (
    <li ref={item} className={classes.item}>
      <button type="button" className={classes.row} aria-expanded={isOpen} onClick={onToggle}>
        <OutcomeGlyph outcome={test.outcome} />
        <span className={classes.name}>
          <MiddleText>{test.testName}</MiddleText>
        </span>
        <span className={classes.duration}>{milliseconds(test.durationMs)}</span>
      </button>
      {isOpen && <TestOutput test={test} />}
    </li>
  )
}

function TestOutput({ test: { testName, outcome, exitCode, stderrTail, stdoutTail } }: { test: CapturedTest }) {
  const isSilent = stderrTail === '' && stdoutTail === ''
  return (
    <div className={classes.output}>
      <p className={classes.facts}>
        <span className={classes.fullName}>{testName}</span>
        {exitCode === null ? ` ${outcome}, no exit code` : ` exited with ${exitCode}`}
      </p>
      {isSilent && <p className={classes.facts}>It printed nothing.</p>}
      <Tail name="stderr" text={stderrTail} />
      <Tail name="stdout" text={stdoutTail} />
    </div>
  )
}

const Tail = ({ name, text }: { name: string; text: string }) =>
  text !== '' && (
    <div>
      <h3 className={classes.stream}>{name}</h3>
      <AnsiText label={name}>{text}</AnsiText>
    </div>
  )
