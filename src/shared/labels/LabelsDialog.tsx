import { useSuspenseQuery } from '@tanstack/react-query'

import type { Label } from '#contract/labels.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { AddNote } from './AddNote.tsx'
import { AddTag } from './AddTag.tsx'
import { DisputeOutcome } from './DisputeOutcome.tsx'
import { LabelItem } from './LabelItem.tsx'
import type { LabelTarget } from './label-target.ts'
import classes from './labels.module.css'

type Props = { run: RunDetail; target: LabelTarget; labels: readonly Label[] }

/** The labels of a run, a test or a turn, and forms for more. */
export function LabelsDialog({ run, target, labels }: Props) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const isOfRun = target.testName === undefined && target.turn === undefined
  const ownDispute = labels.some(({ kind, createdBy }) => kind === 'dispute' && createdBy.id === caller.actor.id)
  return (
    <div className={classes.dialog}>
      {labels.length > 0 && (
        <ul className={lists.plain} aria-label="Labels">
          {labels.map((label) => (
            <LabelItem key={label.id} runId={run.id} label={label} />
          ))}
        </ul>
      )}
      {caller.keyKind === 'personal' ? (
        <>
          <AddTag runId={run.id} target={target} />
          <AddNote runId={run.id} target={target} />
          {isOfRun && isTerminal(run.status) && !ownDispute && <DisputeOutcome run={run} />}
        </>
      ) : (
        <p className={mutedText.note}>
          You are signed in with an organization key. Sign in with a personal key to add labels.
        </p>
      )}
    </div>
  )
}
