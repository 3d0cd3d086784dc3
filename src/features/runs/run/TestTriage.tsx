import { Button, Kbd } from '@mantine/core'

import type { RunDetail } from '#contract/runs.ts'
import type { CapturedTest } from '#contract/tests.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { ClipButton } from '#src/shared/clip/ClipButton.tsx'
import { CopyAs } from '#src/shared/copy-as/CopyAs.tsx'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { useTranscript } from '#src/shared/transcript/use-transcript.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { nearestPass } from './nearest-pass.ts'
import { exportTest } from '#src/features/runs/request/export-runs.ts'
import { TestStrip } from './TestStrip.tsx'
import classes from './TestTriage.module.css'
import { useMention } from './use-mention.ts'
import type { RequestTests } from './use-request-tests.ts'
import { useVariantRepeats } from './use-variant-repeats.ts'

type Props = {
  run: RunDetail
  test: CapturedTest
  requestTests: RequestTests
  liveness: { isLive: boolean; runSeenAt: number }
}

/** Links from an open test to the last turn that mentions it, to a run that passed it, and to every other run. */
export function TestTriage({ run, test, requestTests, liveness }: Props) {
  const url = useQueryState()
  const { mention, find, searched, isComplete, isLoading } = useMention(run, test, useTranscript(run.id, liveness))
  const { clip, copies } = exportTest(run, test)
  const { shown, isAlone } = useVariantRepeats(requestTests, run, test.testName)
  const passed = test.outcome === 'passed' ? null : nearestPass(shown, run, test.testName)
  const jump = async () => {
    const from = window.location.href
    const found = await find()
    // Does nothing if the reader has left the page in the meantime.
    if (!found || window.location.href !== from) return
    // Clears filters that might hide the turn.
    const toTurn = { turn: String(found.seq), pane: 'transcript', role: null, kind: null }
    url.set({ test: test.testName, ...toTurn }, 'turn')
  }
  useShortcut('toTurn', () => void jump())
  return (
    <div className={classes.triage}>
      <div className={classes.ways}>
        {mention ? (
          <>
            <Button
              variant="default"
              size="compact-sm"
              rightSection={<Kbd size="xs">t</Kbd>}
              onClick={() => void jump()}
            >
              Go to turn #{mention.seq}
            </Button>
            <span className={classes.words}>
              last mention of <bdi className={classes.name}>{mention.name}</bdi>
              {!isComplete && ` in the first ${counted(searched, 'turn')}`}
            </span>
          </>
        ) : (
          <output className={classes.words}>{describeSilence(searched, { isComplete, isLoading })}</output>
        )}
        <div className={classes.ways}>
          <ClipButton size="compact-sm" clip={clip} />
          <CopyAs size="compact-sm" {...copies} />
        </div>
        {passed && (
          <TextLink href={paths.compare({ left: run.id, right: passed.id, test: test.testName })}>
            {`Compare with ${nameOfAxes(passed.variantId)} #${passed.repeat}, where it passed`}
          </TextLink>
        )}
      </div>
      <TestStrip requestTests={shown} runId={run.id} testName={test.testName} />
      {isAlone && (
        <div className={classes.ways}>
          <TextLink
            href={paths.experiment(run.experimentId, 'runs', {
              variant: run.variantId,
              version_scope: run.experimentFingerprint,
            })}
          >
            Runs of this variant in every request of v{run.ordinal}
          </TextLink>
        </div>
      )}
    </div>
  )
}

function describeSilence(searched: number, { isComplete, isLoading }: { isComplete: boolean; isLoading: boolean }) {
  if (isComplete && searched === 0) return 'No transcript to search for this test.'
  if (isComplete) return 'This test isn’t mentioned in the transcript.'
  if (isLoading) return `Searching the transcript for this test (${counted(searched, 'turn')} so far)…`
  return `Not mentioned in the first ${counted(searched, 'turn')}. Load more turns to continue.`
}
