import { Button, SegmentedControl, Text, Textarea } from '@mantine/core'

import { addLabel, ContestedOutcome } from '#contract/labels.ts'
import { isSolved } from '#contract/outcomes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { putLabel } from '#src/api/labels.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './labels.module.css'

const claims: Record<ContestedOutcome, string> = { solved: 'Solved', unsolved: 'Not solved' }

/** Claims another outcome than the measured one. A run without a measured outcome may be either. */
export function ContestOutcome({ run }: { run: RunDetail }) {
  const measured = isSolved(run, run.outcomes)
  const possible = ContestedOutcome.options.filter((claim) => measured === null || measured !== (claim === 'solved'))
  const form = useForm({
    initialValues: { text: '', contestedAs: possible[0] ?? 'solved' },
    schema: addLabel.body,
    toBody: (values) => ({ kind: 'contest' as const, ...values }),
    send: (body) => putLabel({ id: run.id, ...body }),
  })
  const { contestedAs } = form.getValues()
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate aria-label="Contest the outcome">
      <Text size="sm" fw={550}>
        Contest the outcome
      </Text>
      <p className={classes.hint}>
        {measured === null
          ? 'No outcome was measured'
          : `The measured outcome is ${measured ? 'solved' : 'not solved'}`}
        . It stays as it is, also in results; your claim appears beside it.
      </p>
      {possible.length > 1 && (
        <SegmentedControl
          aria-label="Your outcome"
          data={possible.map((value) => ({ value, label: claims[value] }))}
          {...form.getInputProps('contestedAs')}
        />
      )}
      <Textarea label="Reason" autosize minRows={2} maxRows={10} {...form.getInputProps('text')} />
      {form.failure && <ErrorNotice title="Couldn’t contest the outcome" error={form.failure} />}
      <Button type="submit" variant="default" className={classes.verb} loading={form.isPending}>
        Say it was {claims[contestedAs].toLowerCase()}
      </Button>
    </form>
  )
}
