import { Button } from '@mantine/core'
import { useState } from 'react'

import { Notice } from '#src/ui/Notice.tsx'
import { LazySqlEditor } from './LazySqlEditor.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import classes from './QueryPage.module.css'
import { startingSql } from './starting-sql.ts'
import { useQueryUrl } from './use-query-url.ts'

/** SQL over every experiment of the organization, which the API answers for saved insights only. */
export function OrganizationPane() {
  const { state } = useQueryUrl()
  const [sql, setSql] = useState(state.sql === '' ? startingSql({ kind: 'organization' }) : state.sql)
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <Notice title="Over the whole organization a query answers once it is saved.">
        The API runs statements that are not saved over one experiment or one run. Saving checks this one; its page then
        shows the result, where it can be changed.
      </Notice>
      <div className={classes.editor}>
        <LazySqlEditor label="SQL" value={sql} onChange={setSql} onRun={() => setSaving(true)} />
      </div>
      <div className={classes.verbs}>
        <Button onClick={() => setSaving(true)} disabled={sql.trim() === ''}>
          Save as insight
        </Button>
      </div>
      {isSaving && (
        <SaveDialog
          target={null}
          sql={sql}
          includeTestAware={false}
          presentation={undefined}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}
