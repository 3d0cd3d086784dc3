import { Button, Kbd } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { isApiError } from '#src/api/errors.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { dryRun, type QueryTarget } from '#src/api/queries.ts'
import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { Answer } from './Answer.tsx'
import { DryRunResult } from './DryRunResult.tsx'
import { LazySqlEditor } from './LazySqlEditor.tsx'
import { ModeSwitch } from './ModeSwitch.tsx'
import { addToHistory } from './query-history.ts'
import { QueryHistory } from './QueryHistory.tsx'
import classes from './QueryPage.module.css'
import { QueryOptions } from './QueryOptions.tsx'
import { requestOf } from './query-state.ts'
import { SqlFault } from './SqlFault.tsx'
import { startingSql } from './starting-sql.ts'
import { useAnswer } from './use-answer.ts'
import { useQueryUrl } from './use-query-url.ts'

const noIssues = [] as const

/** SQL over one scope: write, check, run, see, keep. */
export function SqlPane({ target, userId }: { target: QueryTarget; userId: string }) {
  const { state, ask } = useQueryUrl()
  const os = useOs()
  const editor = useRef<SqlEditorHandle>(null)
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? (state.sql === '' ? startingSql(target) : state.sql)
  const request = requestOf(state)
  const answer = useAnswer(request)
  const checking = useMutation({ mutationFn: (sql: string) => dryRun({ target, statement: { sql } }) })
  const isAsked = text === state.sql
  const checked = checking.variables === text ? checking : null
  const error = checked?.error ?? (checked?.data ? null : isAsked ? answer.error : null)
  const problems = isApiError(error) ? error.issues : noIssues
  const run = () => {
    if (text.trim() === '') return
    checking.reset()
    setDraft(null)
    addToHistory({ organizationId: currentOrganizationId() ?? '', userId }, target, {
      sql: text,
      at: new Date().toISOString(),
    })
    if (isAsked) answer.again()
    else ask(text)
  }
  return (
    <>
      <div className={classes.editor}>
        <LazySqlEditor ref={editor} label="SQL" value={text} onChange={setDraft} onRun={run} problems={problems} />
      </div>
      <div className={classes.verbs}>
        <Button
          onClick={run}
          loading={answer.isFetching}
          rightSection={<Kbd size="xs">{os === 'macos' ? '⌘ ↵' : 'Ctrl ↵'}</Kbd>}
        >
          Run
        </Button>
        <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate(text)}>
          Dry run
        </Button>
        {target.kind === 'experiment' && <ModeSwitch isModeled={false} />}
        <QueryOptions target={target} />
        <QueryHistory userId={userId} onChoose={(sql) => setDraft(sql)} />
      </div>
      {error && <SqlFault error={error} onGoTo={(problem) => editor.current?.goTo(problem)} />}
      {checked?.data && <DryRunResult result={checked.data} />}
      {!isAsked && answer.data && (
        <p className={classes.quiet}>The answer below is to the statement before your edits.</p>
      )}
      {answer.data && request && !(isAsked && answer.error) && (
        <Answer request={request} result={answer.data} sql={state.sql} isOld={answer.isFetching} />
      )}
    </>
  )
}
