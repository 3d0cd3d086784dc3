import { Button } from '@mantine/core'
import { useRef, useState } from 'react'

import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { DraftNotice } from './DraftNotice.tsx'
import { LazySqlEditor } from './LazySqlEditor.tsx'
import { QueryOptions } from './QueryOptions.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import classes from './QueryPage.module.css'
import { SchemaHelp } from './SchemaHelp.tsx'
import { useQueryUrl } from './use-query-url.ts'
import { useSqlDraft } from './use-sql-draft.ts'

/** SQL over every experiment of the organization. The API runs such queries only as saved insights. */
export function OrganizationPane({ userId }: { userId: string }) {
  const { state } = useQueryUrl()
  const drafted = useSqlDraft(null, userId, state.sql)
  const sql = drafted.text
  const editor = useRef<SqlEditorHandle>(null)
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <Notice title="Organization-wide queries must be saved before they can run.">
        Saving validates the query. The insight’s page then shows its result, and you can edit the query there.
      </Notice>
      <DraftNotice draft={drafted} />
      <div className={classes.editor}>
        <LazySqlEditor ref={editor} label="SQL" value={sql} onChange={drafted.write} onRun={() => setSaving(true)} />
      </div>
      <div className={classes.verbs}>
        <Button
          onClick={() => setSaving(true)}
          disabled={sql.trim() === ''}
          title={sql.trim() === '' ? 'Write a query first' : undefined}
        >
          Save as insight
        </Button>
        <QueryOptions scope={null} />
        <SchemaHelp onInsert={(name) => editor.current?.insert(name)} />
      </div>
      {isSaving && (
        <SaveDialog
          target={null}
          sql={sql}
          includeTestAware={state.includeTestAware}
          presentation={undefined}
          onSaved={() => drafted.settle()}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}
