import { Button, Checkbox, Input } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { type SqlInsight, updateInsight } from '#contract/insights.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { changeInsight } from '#src/api/insights.ts'
import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { SqlErrorNotice } from '#src/features/insights/query/SqlErrorNotice.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { InsightFields } from '#src/features/insights/query/InsightFields.tsx'
import { DialectLink } from '#src/features/insights/query/DialectLink.tsx'
import { LazySqlEditor } from '#src/features/insights/query/LazySqlEditor.tsx'
import classes from '#src/features/insights/query/saved.module.css'
import formParts from '#src/ui/form-parts.module.css'
import { changeOf, insightDraft, type InsightEdit } from './insight-draft.ts'

const noIssues = [] as const

const describingFields = ['heading', 'description', 'labels']

type Props = { insight: SqlInsight; sql: string; onDone: () => void }

/** Sends only the changes. If the platform refuses the SQL, the error is at its line and nothing is changed. */
export function EditForm({ insight, sql, onDone }: Props) {
  const { reference, provenance, publishedAt } = insight
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const editor = useRef<SqlEditorHandle>(null)
  const { saved, start, restored, keep, forget } = useInsightDraft({ insight, sql, actorId: caller.actor.id })
  const [isRestored, setIsRestored] = useState(restored !== null)
  const [sentSql, setSentSql] = useState(sql)
  const form = useForm({
    initialValues: start,
    schema: updateInsight.body,
    toBody: (edited) => changeOf(saved, edited),
    async send(change) {
      if (Object.keys(change).length === 0) return
      setSentSql(change.sql ?? sql)
      await changeInsight({ ref: reference, ...change })
    },
    onSent() {
      forget()
      onDone()
    },
    fieldOf: (path) => describingFields.find((field) => path.split('.')[0] === field),
    checkWhileTyping: true,
    onValuesChange: keep,
  })
  const { failure, values } = form
  const issues = isApiError(failure) && sentSql === values.sql ? failure.issues : noIssues
  const discard = () => {
    form.setValues(saved)
    setIsRestored(false)
  }
  return (
    <form className={formParts.form} onSubmit={form.submit} noValidate>
      {restored && isRestored && (
        <Notice title="Restored your unsaved changes.">
          From <RelativeTime at={restored.at} />.{' '}
          <Button size="compact-xs" variant="default" onClick={discard}>
            Discard changes
          </Button>
        </Notice>
      )}
      <InsightFields form={form} />
      <Input.Wrapper label="SQL" labelElement="div">
        <DialectLink />
        <div className={classes.sql}>
          <LazySqlEditor
            ref={editor}
            label="SQL"
            value={values.sql}
            onChange={(text) => form.setFieldValue('sql', text)}
            problems={issues}
          />
        </div>
      </Input.Wrapper>
      {provenance.kind !== 'run' && (
        <Checkbox
          size="xs"
          label="Include test-aware runs"
          {...form.getInputProps('includeTestAware', { type: 'checkbox' })}
        />
      )}
      {publishedAt && (
        <Notice title="Editing doesn’t change the public page.">
          The public page keeps showing the version you published.
        </Notice>
      )}
      {failure && (
        <SqlErrorNotice error={failure} problems={issues} onGoTo={(problem) => editor.current?.goTo(problem)} />
      )}
      <Button type="submit" loading={form.isPending} className={formParts.verb}>
        Save
      </Button>
    </form>
  )
}

/** Unsaved edits of an insight, kept in this browser, because a dialog can be closed by accident. */
function useInsightDraft({ insight, sql, actorId }: { insight: SqlInsight; sql: string; actorId: string }) {
  const { heading, description = '', labels, includeTestAware } = insight
  // The insight as it was when the dialog opened, so that later saves by others don't count as this reader's changes.
  const [saved] = useState<InsightEdit>({ heading, description, labels, sql, includeTestAware })
  const [kept] = useState(() => insightDraft(insight.id, actorId))
  const [found] = useState(kept.read)
  const [start] = useState<InsightEdit>({ ...saved, ...found?.change })
  return {
    saved,
    start,
    /** The draft that `start` contains. */
    restored: found && Object.keys(changeOf(saved, start)).length > 0 ? found : null,
    keep(edited: InsightEdit) {
      const change = changeOf(saved, edited)
      if (Object.keys(change).length === 0) kept.remove()
      else kept.write({ change, at: new Date().toISOString() })
    },
    forget: kept.remove,
  }
}
