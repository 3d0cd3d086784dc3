import { Button, Kbd } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'

import { isApiError } from '#src/api/errors.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { dryRun, type QueryTarget } from '#src/api/queries.ts'
import type { SqlEditorHandle } from '#src/editor/SqlEditor.tsx'
import { toDocumentPositions } from '#src/editor/sql-part.ts'
import type { QueryResult } from '#contract/queries.ts'
import { bytes, counted } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { QueryResultView } from './QueryResultView.tsx'
import { DialectLink } from './DialectLink.tsx'
import { DraftNotice } from './DraftNotice.tsx'
import { LazySqlEditor } from './LazySqlEditor.tsx'
import { ModeSwitch } from './ModeSwitch.tsx'
import { addToHistory } from './query-history.ts'
import { QueryHistory } from './QueryHistory.tsx'
import classes from './QueryPage.module.css'
import { QueryOptions } from './QueryOptions.tsx'
import { requestOf } from './query-state.ts'
import { RunningQuery } from './RunningQuery.tsx'
import { SchemaHelp } from './SchemaHelp.tsx'
import { SqlErrorNotice } from './SqlErrorNotice.tsx'
import { useQueryResult } from './use-query-result.ts'
import { useQueryUrl } from './use-query-url.ts'
import { useSqlDraft } from './use-sql-draft.ts'

const noIssues = [] as const

/** Edits, validates, runs and saves SQL on one scope. */
export function SqlPane({ target, userId }: { target: QueryTarget; userId: string }) {
  const { state, ask } = useQueryUrl()
  const os = useOs()
  const editor = useRef<SqlEditorHandle>(null)
  const drafted = useSqlDraft(target, userId, state.sql)
  const { draft, text } = drafted
  const [hasSelection, setHasSelection] = useState(false)
  const request = requestOf(state)
  const answer = useQueryResult(request)
  const checking = useMutation({ mutationFn: (sql: string) => dryRun({ target, statement: { sql } }) })
  const part = draft?.part && draft.base === state.sql ? draft.part : null
  const isAsked = text === state.sql || part !== null || drafted.isRunning
  const checked = checking.variables === text ? checking : null
  const error = checked?.error ?? (checked?.data ? null : isAsked ? answer.error : null)
  const found = isApiError(error) ? error.issues : noIssues
  const problems = useMemo(() => (part && !checked ? toDocumentPositions(part, found) : found), [part, checked, found])
  const run = () => {
    const selected = editor.current?.selection()
    const sql = selected?.sql ?? text
    if (sql.trim() === '') return
    checking.reset()
    if (selected) drafted.write(text, selected)
    else drafted.settle(sql)
    addToHistory({ organizationId: currentOrganizationId() ?? '', userId }, target, sql)
    if (sql === state.sql) answer.again()
    else {
      answer.forget(requestOf({ ...state, sql }))
      ask(sql)
    }
  }
  return (
    <>
      <DraftNotice draft={drafted} />
      <DialectLink />
      <div className={classes.editor}>
        <LazySqlEditor
          ref={editor}
          label="SQL"
          value={text}
          onChange={drafted.write}
          onRun={run}
          onSelection={setHasSelection}
          problems={problems}
        />
      </div>
      <div className={classes.verbs}>
        <Button
          onClick={run}
          loading={answer.isFetching}
          rightSection={<Kbd size="xs">{os === 'macos' ? '⌘ ↵' : 'Ctrl ↵'}</Kbd>}
        >
          {hasSelection ? 'Run selection' : 'Run'}
        </Button>
        <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate(text)}>
          Dry run
        </Button>
        {target.kind === 'experiment' && <ModeSwitch isModeled={false} />}
        <QueryOptions scope={target} />
        <SchemaHelp onInsert={(name) => editor.current?.insert(name)} />
        <QueryHistory userId={userId} onChoose={drafted.write} />
        {answer.isFetching && <RunningQuery onCancel={answer.cancel} />}
      </div>
      {error && (
        <SqlErrorNotice error={error} problems={problems} onGoTo={(problem) => editor.current?.goTo(problem)} />
      )}
      {checked?.data && <DryRunResult result={checked.data} />}
      <AnswerWords
        isCanceled={answer.isCanceled}
        isPart={part !== null}
        isBefore={!isAsked && answer.data !== undefined}
      />
      {answer.data && request && !(isAsked && answer.error) && (
        <QueryResultView
          request={request}
          result={answer.data}
          sql={state.sql}
          isOld={answer.isPlaceholderData || answer.isFetching}
          refresh={answer.refetch}
        />
      )}
    </>
  )
}

type Props = { isCanceled: boolean; isPart: boolean; isBefore: boolean }

/** Explains when the results below don't belong to the text in the editor. */
function AnswerWords({ isCanceled, isPart, isBefore }: Props) {
  const words = isCanceled
    ? 'Canceled. The query may take up to 20 s to stop, and the next one waits for it.'
    : isPart
      ? 'Results below are for the selected text.'
      : isBefore
        ? 'Results below are from before your edits.'
        : null
  return words && <p className={mutedText.note}>{words}</p>
}

/** The result of a dry run. */
function DryRunResult({ result: { compiledSql, estimate, columns } }: { result: QueryResult }) {
  return (
    <section className={classes.dryRun} aria-label="Dry run">
      <p className={classes.dryRunFacts}>
        Valid.{' '}
        {estimate &&
          `Would scan about ${counted(estimate.rows, 'row')} (${bytes(estimate.bytes)}) in ${counted(estimate.parts, 'part')} and ${counted(estimate.marks, 'mark')}. `}
        Returns {counted(columns.length, 'column')}: {columns.map(({ name, type }) => `${name} ${type}`).join(', ')}.
      </p>
      <pre className={classes.compiled}>{compiledSql}</pre>
    </section>
  )
}
