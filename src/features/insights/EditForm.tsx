import { Button, Checkbox, Input } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'

import { InsightHeading } from '#contract/insight-fields.ts'
import type { SqlInsight } from '#contract/insights.ts'
import { isApiError } from '#src/api/errors.ts'
import { changeInsight } from '#src/api/insights.ts'
import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { SqlFault } from './SqlFault.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { InsightFields } from './InsightFields.tsx'
import { LazySqlEditor } from './LazySqlEditor.tsx'
import classes from './saved.module.css'

const noIssues = [] as const

type Props = { insight: SqlInsight; sql: string; onDone: () => void }

/** Changes what is sent alone; SQL that could not run is refused at its line, and nothing is changed. */
export function EditForm({ insight, sql, onDone }: Props) {
  const { reference, heading, description = '', labels, includeTestAware, provenance, publishedAt } = insight
  const editor = useRef<SqlEditorHandle>(null)
  const [fields, setFields] = useState({ heading, description, labels })
  const [text, setText] = useState(sql)
  const [testAware, setTestAware] = useState(includeTestAware)
  const saving = useMutation({ mutationFn: changeInsight, onSuccess: onDone })
  const sent = saving.variables?.sql ?? sql
  const issues = isApiError(saving.error) && sent === text ? saving.error.issues : noIssues
  const headingFault = InsightHeading.safeParse(fields.heading).error?.issues[0]?.message
  const change = {
    ...(fields.heading !== heading && { heading: fields.heading }),
    ...(fields.description !== description && { description: fields.description }),
    ...(fields.labels.join('\n') !== labels.join('\n') && { labels: fields.labels }),
    ...(text !== sql && { sql: text }),
    ...(testAware !== includeTestAware && { includeTestAware: testAware }),
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (headingFault) return
    if (Object.keys(change).length === 0) onDone()
    else saving.mutate({ ref: reference, ...change })
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <InsightFields value={fields} onChange={setFields} headingFault={headingFault} />
      <Input.Wrapper label="SQL" labelElement="div">
        <div className={classes.sql}>
          <LazySqlEditor ref={editor} label="SQL" value={text} onChange={setText} problems={issues} />
        </div>
      </Input.Wrapper>
      {provenance.kind !== 'run' && (
        <Checkbox
          size="xs"
          label="Include test-aware runs"
          checked={testAware}
          onChange={(event) => setTestAware(event.currentTarget.checked)}
        />
      )}
      {publishedAt && (
        <Notice title="Its public page stays as it was published.">
          Strangers go on seeing the query, heading, description and chart of that moment.
        </Notice>
      )}
      {saving.error && (
        <SqlFault error={saving.error} problems={issues} onGoTo={(problem) => editor.current?.goTo(problem)} />
      )}
      <Button type="submit" loading={saving.isPending} className={classes.verb}>
        Save
      </Button>
    </form>
  )
}
