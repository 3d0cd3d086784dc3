import { VisuallyHidden } from '@mantine/core'

import type { CapturedTest } from '#contract/tests.ts'
import { milliseconds } from '#src/format/durations.ts'
import { paths } from '#src/paths.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { outcomeMarks } from '#src/ui/status-marks.ts'
import { TestTails } from '#src/ui/TestTails.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import rowButton from '#src/ui/row-button.module.css'
import classes from './ComparedTest.module.css'
import shared from './ComparePage.module.css'
import type { TestPair } from './join-tests.ts'

type Props = {
  pair: TestPair
  isOpen: boolean
  /** Whether each run executed elsewhere. */
  areImported: { left: boolean; right: boolean }
  /** Why the output of each run was removed. */
  removed: { left: string | undefined; right: string | undefined }
  onToggle: () => void
}

export function ComparedTest({ pair, isOpen, areImported, removed, onToggle }: Props) {
  const { testName, left, right, differs } = pair
  return (
    <li className={classes.test} data-differs={differs || undefined}>
      <button type="button" className={`${rowButton.row} ${classes.testRow}`} aria-expanded={isOpen} onClick={onToggle}>
        <span className={shared.mark} title={differs ? 'differs' : undefined}>
          {differs && (
            <>
              <span aria-hidden>≠</span>
              <VisuallyHidden>differs</VisuallyHidden>
            </>
          )}
        </span>
        <span className={shared.testName}>
          <TruncatedText>{testName}</TruncatedText>
        </span>
        <OneOutcome test={left} />
        <OneOutcome test={right} />
      </button>
      {isOpen && (
        <div className={classes.outputs}>
          <Output side="Left" test={left} isImported={areImported.left} removed={removed.left} />
          <Output side="Right" test={right} isImported={areImported.right} removed={removed.right} />
        </div>
      )}
    </li>
  )
}

const OneOutcome = ({ test }: { test: CapturedTest | null }) => (
  <span className={classes.outcome}>
    {test ? (
      <>
        <OutcomeGlyph outcome={test.outcome} />
        <span className={classes.outcomeWord} aria-hidden>
          {outcomeMarks[test.outcome].label}
        </span>
        <span className={classes.duration}>{milliseconds(test.durationMs)}</span>
      </>
    ) : (
      <span className={classes.duration}>not in this run</span>
    )}
  </span>
)

type OutputProps = { side: string; test: CapturedTest | null; isImported: boolean; removed: string | undefined }

function Output({ side, test, isImported, removed }: OutputProps) {
  if (!test) return <p className={shared.aside}>The {side.toLowerCase()} run doesn’t have this test.</p>
  const { runId, testName } = test
  return (
    <div className={classes.output}>
      <p className={shared.aside}>
        {side} · <TextLink href={paths.test(runId, testName)}>Open in run</TextLink>
      </p>
      <TestTails test={test} whose={side} isImported={isImported} removed={removed} />
    </div>
  )
}
