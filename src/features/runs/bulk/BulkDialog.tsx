import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import { type BulkAction, confirmationOf, RerunChoice } from '#contract/bulk-actions.ts'
import { credit } from '#src/format/money.ts'
import { count } from '#src/format/numbers.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { BulkProgress } from './BulkProgress.tsx'
import { choiceLabels, leftOutLine, statusLine, verbOf } from './bulk-words.ts'
import classes from './bulk.module.css'
import { ChooseTag } from './ChooseTag.tsx'
import type { BulkDialogState } from './use-bulk-action.ts'

const titles = {
  cancel: 'Cancel runs',
  rerun: 'Run again',
  tag: 'Tag runs',
  delete: 'Delete imported runs',
  export: 'Export runs',
}

/** Says what a bulk action will touch, starts it, and shows its progress. */
export function BulkDialog({ dialog, onStarted }: { dialog: BulkDialogState; onStarted: () => void }) {
  const { step, startedId, proposing, propose, close } = dialog
  // An export has a dialog of its own, unless its runs could not be chosen.
  const isOpen = startedId !== null || (step !== null && (step.kind !== 'export' || proposing.error !== null))
  return (
    <Dialog opened={isOpen} onClose={close} title={step ? titles[step.kind] : 'Bulk action'}>
      {startedId !== null ? (
        <BulkProgress id={startedId} onClose={close} />
      ) : (
        step && (
          <Stack gap="sm">
            {step.kind === 'tag' && proposing.isIdle && (
              <ChooseTag onChoose={(newTag) => propose({ kind: 'tag', newTag })} />
            )}
            {step.kind === 'rerun' && step.choice !== 'all' && (
              <SegmentedControl
                aria-label="Which runs"
                fullWidth
                value={step.choice ?? 'failed'}
                onChange={(choice) => propose({ kind: 'rerun', choice: RerunChoice.parse(choice) })}
                data={Object.entries(choiceLabels).map(([value, label]) => ({ value, label }))}
              />
            )}
            {proposing.isPending && <LoadingArea label="Counting the runs" height={72} />}
            {proposing.error && (
              <ErrorNotice
                title="The runs could not be counted"
                error={proposing.error}
                onRetry={() => propose(step)}
              />
            )}
            {proposing.data && <ProposalView action={proposing.data} dialog={dialog} onStarted={onStarted} />}
          </Stack>
        )
      )}
    </Dialog>
  )
}

type ProposalProps = { action: BulkAction; dialog: BulkDialogState; onStarted: () => void }

function ProposalView({ action, dialog: { starting, close }, onStarted }: ProposalProps) {
  const [typed, setTyped] = useState('')
  const { kind, touched, cost } = action
  const expected = confirmationOf(action)
  const isConfirmed = kind !== 'delete' || typed.trim().toLowerCase() === expected
  const start = () => starting.mutate({ actionId: action.id, confirmation: typed }, { onSuccess: onStarted })
  return (
    <>
      <Text fw={600}>{touched === 0 ? 'None of these runs qualifies' : verbOf(action, touched)}</Text>
      <ul className={classes.facts}>
        {touched > 0 && <li>{statusLine(action.statusCounts)}</li>}
        {action.leftOut.length > 0 && <li className={mutedText.plain}>Left out: {leftOutLine(action.leftOut)}</li>}
        {touched > 0 && notes[kind] && <li className={mutedText.plain}>{notes[kind]}</li>}
        {(action.olderVersions ?? 0) > 0 && (
          <li className={mutedText.plain}>
            {count(action.olderVersions ?? 0)} of them have a version that is not the newest.
          </li>
        )}
        {touched > 0 && cost && (
          <li>
            {cost.heldMicros === '0' ? 'Costs nothing' : `May cost ${credit(cost.heldMicros)}`}
            {cost.availableMicros !== undefined &&
              cost.heldMicros !== '0' &&
              `; ${credit(cost.availableMicros)} of credit is available`}
          </li>
        )}
      </ul>
      {kind === 'delete' && touched > 0 && (
        <TextInput
          label={`Type “${expected}” to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {starting.error && <ErrorNotice title="The action was not started" error={starting.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Go back
        </Button>
        {touched > 0 && (
          <Button
            color={kind === 'delete' || kind === 'cancel' ? 'red' : undefined}
            loading={starting.isPending}
            data-disabled={!isConfirmed || undefined}
            aria-disabled={!isConfirmed}
            title={isConfirmed ? undefined : `Type “${expected}” first`}
            onClick={() => isConfirmed && start()}
          >
            {verbOf(action, touched)}
          </Button>
        )}
      </Group>
    </>
  )
}

const notes: Partial<Record<BulkAction['kind'], string>> = {
  cancel: 'Running agents are stopped and their tests are skipped. Cost already incurred is not refunded.',
  rerun: 'Each keeps the version, variant, flags and budget of the original run.',
  delete:
    'Their tests, transcripts and changes go too, and they leave every chart and query. Pinned figures and published insights stay. This cannot be undone.',
}
