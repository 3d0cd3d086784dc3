import { Button, Textarea } from '@mantine/core'
import { useId } from 'react'

import type { ContextSnapshot, ContextSuggestion } from '#contract/context-suggestions.ts'
import { isApiError } from '#src/api/errors.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { reveal } from '#src/ui/reveal.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './SuggestionForm.module.css'
import { EvidenceFields } from './EvidenceFields.tsx'
import { FieldEditor } from './FieldEditor.tsx'
import { changedFields } from './suggestion-draft.ts'
import { useSuggestionForm } from './use-suggestion-form.ts'

type Props = {
  actorId: string
  snapshot: ContextSnapshot
  replaced: ContextSuggestion | undefined
  onSnapshot: () => Promise<unknown>
}

/** The fields of the record with a diff of each change, the reason and the evidence. */
export function SuggestionForm({ actorId, snapshot, replaced, onSnapshot }: Props) {
  const { form, discard, submitAsNew } = useSuggestionForm({ actorId, snapshot, replaced })
  const count = useId()
  const { fields, revision, asNew } = form.values
  const changes = Object.keys(changedFields(form.values, snapshot)).length
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      <RecordChangedNotice
        from={revision}
        to={snapshot.revision}
        hasChanges={changes > 0}
        onSeen={() => form.setFieldValue('revision', snapshot.revision)}
      />
      {Object.entries(snapshot.fields).map(([name, base]) => (
        <FieldEditor key={name} form={form} name={name} base={base} value={fields[name] ?? base} />
      ))}
      <Textarea
        label="Reason"
        description="Explain the change for the reviewer"
        {...form.getInputProps('reason')}
        autosize
        minRows={2}
        maxRows={10}
      />
      <EvidenceFields form={form} />
      {form.failure && (
        <SubmitError
          error={form.failure}
          onSnapshot={() => void onSnapshot().then(form.clearFailure)}
          onAsNew={replaced && submitAsNew}
        />
      )}
      <div className={classes.foot}>
        <output id={count} className={classes.count}>
          {changes === 0 ? 'Edit a field to make a suggestion' : `${counted(changes, 'field')} changed`}
        </output>
        <Button variant="default" disabled={form.isPending} onClick={discard}>
          Start over
        </Button>
        <Button type="submit" disabled={changes === 0} aria-describedby={count} loading={form.isPending}>
          {replaced && !asNew ? 'Replace suggestion' : 'Submit suggestion'}
        </Button>
      </div>
    </form>
  )
}

type RecordChangedNoticeProps = { from: number; to: number; hasChanges: boolean; onSeen: () => void }

/** Shown when the record changed while someone was editing. */
function RecordChangedNotice({ from, to, hasChanges, onSeen }: RecordChangedNoticeProps) {
  if (from === to || !hasChanges) return null
  return (
    <div ref={reveal}>
      <Notice title={`The record changed (revision ${from} → ${to}) while you were editing.`} onClose={onSeen}>
        Your text is kept and compared with the current record. Check your changes before you submit them.
      </Notice>
    </div>
  )
}

type SubmitErrorProps = { error: Error; onSnapshot: () => void; onAsNew: (() => void) | undefined }

/** Why a suggestion was not submitted, and the next step if there is one. The draft is kept. */
const SubmitError = ({ error, onSnapshot, onAsNew }: SubmitErrorProps) => (
  <div ref={reveal}>
    <ErrorNotice title="The suggestion was not submitted" error={error}>
      {isApiError(error, 'already_exists') && (
        <div className={classes.ways}>
          <Button variant="default" onClick={onSnapshot}>
            Reload record
          </Button>
          {onAsNew && (
            <Button variant="default" onClick={onAsNew}>
              Submit as a new suggestion
            </Button>
          )}
        </div>
      )}
      {!isApiError(error, 'already_exists') && (
        <p className={mutedText.smallNote}>Your draft is saved in this browser.</p>
      )}
    </ErrorNotice>
  </div>
)
