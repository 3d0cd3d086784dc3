import { Button, Textarea } from '@mantine/core'

import { decideSuggestion as endpoint, suggestionCan } from '#contract/context-suggestions.ts'
import { decideSuggestion, type ShownSuggestion } from '#src/api/context-suggestions.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import classes from './suggestions.module.css'

type Decision = 'accepted' | 'rejected'

/** An admin's decision on a suggestion. If somebody else was faster, it shows the note that was not sent. */
export function DecisionForm({ suggestion }: { suggestion: ShownSuggestion }) {
  const { suggestionId, baseRevision, targetRevision, author } = suggestion
  const form = useForm({
    initialValues: { note: '', decision: 'rejected' as Decision },
    schema: endpoint.body,
    toBody: ({ note, decision }) => ({ decision, ...(note.trim() !== '' && { note: note.trim() }) }),
    send: (body) => decideSuggestion(suggestionId, body),
  })
  const decide = (decision: Decision) => {
    form.setFieldValue('decision', decision)
    form.submit()
  }
  const isStale = targetRevision !== baseRevision
  const isOpen = suggestionCan.decide(suggestion)
  const { note, decision } = form.values
  return (
    <form className={classes.decision} noValidate onSubmit={(event) => event.preventDefault()}>
      {form.failure && (
        <ErrorNotice title={`The suggestion was not ${decision}`} error={form.failure}>
          {!isOpen && note.trim() !== '' && <p className={classes.unsent}>Your note was not sent: {note}</p>}
        </ErrorNotice>
      )}
      {isOpen && (
        <>
          <Textarea
            label={author ? `Note to ${author.name}` : 'Note to the author'}
            description="Optional. Everyone in the organization can read it."
            {...form.getInputProps('note')}
            autosize
            minRows={1}
            maxRows={8}
          />
          <div className={formParts.verbs}>
            {!isStale && (
              <Button
                loading={form.isPending && decision === 'accepted'}
                disabled={form.isPending}
                onClick={() => decide('accepted')}
              >
                Accept
              </Button>
            )}
            <Button
              variant="default"
              loading={form.isPending && decision === 'rejected'}
              disabled={form.isPending}
              onClick={() => decide('rejected')}
            >
              Reject
            </Button>
          </div>
        </>
      )}
    </form>
  )
}
