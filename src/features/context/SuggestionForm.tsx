import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'

import { contextFields } from '#contract/context-kinds.ts'
import {
  type ContextSnapshot,
  type ContextSuggestion,
  Evidence,
  SuggestionReason,
} from '#contract/context-suggestions.ts'
import { fieldFault } from '#src/api/errors.ts'
import { counted } from '#src/format/numbers.ts'
import classes from './SuggestionForm.module.css'
import { EvidenceFields } from './EvidenceFields.tsx'
import { FieldEditor } from './FieldEditor.tsx'
import { RecordChangedNotice } from './RecordChangedNotice.tsx'
import { SubmitError } from './SubmitError.tsx'
import { evidenceOf, changedFields } from './suggestion-draft.ts'
import { useSuggestionDraft } from './use-suggestion-draft.ts'
import { useSubmit } from './use-submit.ts'

type Props = {
  actorId: string
  snapshot: ContextSnapshot
  replaced: ContextSuggestion | undefined
  onSnapshot: () => Promise<unknown>
}

/** Edits beside what they change, the reason, the evidence: a small pull request. */
export function SuggestionForm({ actorId, snapshot, replaced, onSnapshot }: Props) {
  const drafting = useSuggestionDraft({ actorId, snapshot, replaced })
  const { draft, keep, discard } = drafting
  const submitting = useSubmit({ snapshot, replaced, drafting })
  const [wasSent, setWasSent] = useState(false)
  const count = useId()
  const { kind } = snapshot
  const proposed = changedFields(draft, snapshot)
  const changes = Object.keys(proposed).length
  const evidence = evidenceOf(draft)
  const reason = SuggestionReason.safeParse(draft.reason)
  const isValid =
    changes > 0 &&
    reason.success &&
    contextFields[kind].partial().safeParse(proposed).success &&
    evidence.every((item) => Evidence.safeParse(item).success)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (isValid) submitting.submit()
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <RecordChangedNotice
        from={draft.revision}
        to={snapshot.revision}
        hasChanges={changes > 0}
        onSeen={() => keep({ ...draft, revision: snapshot.revision })}
      />
      {Object.entries(snapshot.fields).map(([name, base]) => (
        <FieldEditor
          key={name}
          kind={kind}
          name={name}
          base={base}
          value={draft.fields[name] ?? base}
          fault={fieldFault(submitting.error, `proposed.${name}`)}
          onChange={(text) => keep({ ...draft, fields: { ...draft.fields, [name]: text } })}
        />
      ))}
      <Textarea
        label="Reason"
        description="Explain the change for the reviewer"
        value={draft.reason}
        onChange={(event) => keep({ ...draft, reason: event.currentTarget.value })}
        error={wasSent ? reason.error?.issues[0]?.message : undefined}
        autosize
        minRows={2}
        maxRows={10}
      />
      <EvidenceFields evidence={draft.evidence} onChange={(evidence) => keep({ ...draft, evidence })} />
      {submitting.error && (
        <SubmitError
          error={submitting.error}
          onSnapshot={() => void onSnapshot().then(submitting.reset)}
          onAsNew={replaced && submitting.submitAsNew}
        />
      )}
      <div className={classes.foot}>
        <output id={count} className={classes.count}>
          {changes === 0 ? 'Edit a field to make a suggestion' : `${counted(changes, 'field')} changed`}
        </output>
        <Button variant="default" disabled={submitting.isPending} onClick={discard}>
          Start over
        </Button>
        <Button type="submit" disabled={changes === 0} aria-describedby={count} loading={submitting.isPending}>
          {replaced ? 'Replace suggestion' : 'Submit suggestion'}
        </Button>
      </div>
    </form>
  )
}
