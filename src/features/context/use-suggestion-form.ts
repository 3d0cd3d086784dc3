import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'

import { contextFields, type ContextKind } from '#contract/context-kinds.ts'
import {
  type ContextSnapshot,
  type ContextSuggestion,
  suggestContext,
  SuggestionReason,
} from '#contract/context-suggestions.ts'
import { submitSuggestion } from '#src/api/context-suggestions.ts'
import { browserDraft } from '#src/shared/drafts/browser-draft.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { draftField, evidenceOf, newDraft, changedFields, SuggestionDraft, withKey } from './suggestion-draft.ts'

type About = { actorId: string; snapshot: ContextSnapshot; replaced: ContextSuggestion | undefined }

/** `asNew`: the person chose not to replace the earlier suggestion after all. */
type Values = SuggestionDraft & { asNew: boolean }

export type SuggestionFormState = Form<Values>

/**
 * The form of a suggestion. Its draft is kept in this browser, so that a reload or a new sign-in loses nothing and
 * sends nothing twice: the same content always has the same key.
 */
export function useSuggestionForm({ actorId, snapshot, replaced }: About) {
  const navigate = useNavigate()
  const { kind, targetId, revision } = snapshot
  const about = ['suggestion', kind, targetId, replaced?.suggestionId ?? 'new'].join(' ')
  const [kept] = useState(() => browserDraft(SuggestionDraft, { about, actorId }))
  const [start] = useState(() => ({ ...(kept.read() ?? newDraft(snapshot, replaced)), asNew: false }))
  const [schema] = useState(() => schemaOf(kind))
  const form: Form<Values> = useForm({
    initialValues: start,
    schema,
    toBody: (draft: Values) => ({
      kind,
      targetId,
      baseRevision: revision,
      proposed: changedFields(draft, snapshot),
      reason: draft.reason.trim(),
      evidence: evidenceOf(draft),
      ...(replaced && !draft.asNew && { replacesRequestId: replaced.suggestionId, expectedVersion: replaced.version }),
    }),
    send(content) {
      const { draft, key } = withKey(form.getValues(), content, () => crypto.randomUUID())
      form.setFieldValue('sent', draft.sent)
      return submitSuggestion({ ...content, idempotencyKey: key })
    },
    async onSent({ suggestionId }) {
      kept.remove()
      await navigate(paths.contextSuggestions({ show: 'mine', suggestion: suggestionId }))
    },
    fieldOf: draftField,
    checkWhileTyping: true,
    onValuesChange: kept.write,
  })
  const discard = () => {
    form.setValues({ ...newDraft(snapshot, replaced), sent: undefined, asNew: false })
    kept.remove()
  }
  const submitAsNew = () => {
    form.setFieldValue('asNew', true)
    form.submit()
  }
  return { form, discard, submitAsNew }
}

/** The body of a submission, with the fields of this kind. */
const schemaOf = (kind: ContextKind) =>
  suggestContext.body.omit({ action: true }).extend({
    proposed: z.record(z.string(), z.string()).superRefine((proposed, context) => {
      const { error } = contextFields[kind].partial().safeParse(proposed)
      for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
    }),
    reason: SuggestionReason,
  })
