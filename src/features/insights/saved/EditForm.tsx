import { Button, Checkbox, Input } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'

import { InsightHeading } from '#contract/insight-fields.ts'
import type { SqlInsight } from '#contract/insights.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { changeInsight } from '#src/api/insights.ts'
import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { SqlErrorNotice } from '#src/features/insights/query/SqlErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { InsightFields } from '#src/features/insights/query/InsightFields.tsx'
import { LazySqlEditor } from '#src/features/insights/query/LazySqlEditor.tsx'
import classes from '#src/features/insights/query/saved.module.css'
import { useInsightDraft } from './use-insight-draft.ts'

const noIssues = [] as const

type Props = { insight: SqlInsight; sql: string; onDone: () => void }

/** Changes what is sent alone; SQL that could not run is refused at its line, and nothing is changed. */
export function EditForm({ insight, sql, onDone }: Props) {
  const { reference, provenance, publishedAt } = insight
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const editor = useRef<SqlEditorHandle>(null)
  const { edited, change, restored, edit, discard, forget } = useInsightDraft({
    insight,
    sql,
    actorId: caller.actor.id,
  })
  const done = () => {
    forget()
    onDone()
  }
  const saving = useMutation({ mutationFn: changeInsight, onSuccess: done })
  const sent = saving.variables?.sql ?? sql
  const issues = isApiError(saving.error) && sent === edited.sql ? saving.error.issues : noIssues
  const headingFault = InsightHeading.safeParse(edited.heading).error?.issues[0]?.message
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (headingFault) return
    if (Object.keys(change).length === 0) done()
    else saving.mutate({ ref: reference, ...change })
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      {restored && (
        <Notice title="Restored your unsaved changes.">
          From <RelativeTime at={restored.at} />.{' '}
          <Button size="compact-xs" variant="default" onClick={discard}>
            Discard changes
          </Button>
        </Notice>
      )}
      <InsightFields value={edited} onChange={edit} headingFault={headingFault} />
      <Input.Wrapper label="SQL" labelElement="div">
        <div className={classes.sql}>
          <LazySqlEditor
            ref={editor}
            label="SQL"
            value={edited.sql}
            onChange={(text) => edit({ sql: text })}
            problems={issues}
          />
        </div>
      </Input.Wrapper>
      {provenance.kind !== 'run' && (
        <Checkbox
          size="xs"
          label="Include test-aware runs"
          checked={edited.includeTestAware}
          onChange={(event) => edit({ includeTestAware: event.currentTarget.checked })}
        />
      )}
      {publishedAt && (
        <Notice title="Editing doesn’t change the public page.">
          The public page keeps showing the version you published.
        </Notice>
      )}
      {saving.error && (
        <SqlErrorNotice error={saving.error} problems={issues} onGoTo={(problem) => editor.current?.goTo(problem)} />
      )}
      <Button type="submit" loading={saving.isPending} className={classes.verb}>
        Save
      </Button>
    </form>
  )
}
