import { Button, SegmentedControl, Text, Textarea } from '@mantine/core'

import { addLabel, ClaimedOutcome } from '#contract/labels.ts'
import { isSolved } from '#contract/outcomes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { putLabel } from '#src/api/labels.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './labels.module.css'

const claims: Record<ClaimedOutcome, string> = { solved: 'Solved', unsolved: 'Not solved' }

/** Claims another outcome than the measured one. A run without a measured outcome may be either. */
export function DisputeOutcome({ run }: { run: RunDetail }) {
  const measured = isSolved(run, run.outcomes)
  const possible = ClaimedOutcome.options.filter((claim) => measured === null || measured !== (claim === 'solved'))
  const form = useForm({
    initialValues: { text: '', claimedOutcome: possible[0] ?? 'solved' },
    schema: addLabel.body,
    toBody: (values) => ({ kind: 'dispute' as const, ...values }),
    send: (body) => putLabel({ id: run.id, ...body }),
  })
  const { claimedOutcome } = form.getValues()
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate aria-label="Dispute the outcome">
      <Text size="sm" fw={550}>
        Dispute the outcome
      </Text>
      <p className={mutedText.note}>
        {measured === null
          ? 'No outcome was measured'
          : `The measured outcome is ${measured ? 'solved' : 'not solved'}`}
        . Your dispute appears beside it and changes no result.
      </p>
      {possible.length > 1 ? (
        <SegmentedControl
          aria-label="Your outcome"
          data={possible.map((value) => ({ value, label: claims[value] }))}
          {...form.getInputProps('claimedOutcome')}
        />
      ) : (
        <p className={mutedText.note}>Your claim: {claims[claimedOutcome].toLowerCase()}.</p>
      )}
      <Textarea label="Reason" autosize minRows={2} maxRows={10} {...form.getInputProps('text')} />
      {form.failure && <ErrorNotice title="Couldn’t dispute the outcome" error={form.failure} />}
      <Button type="submit" variant="default" className={classes.verb} loading={form.isPending}>
        Dispute outcome
      </Button>
    </form>
  )
}
