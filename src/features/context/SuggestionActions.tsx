import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'

import { type ContextSuggestion, suggestionCan } from '#contract/context-suggestions.ts'
import { withdrawSuggestion } from '#src/api/context-suggestions.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './suggestions.module.css'

/** The author's actions on a suggestion, with a recommendation if the record has changed. */
export function SuggestionActions({ suggestion }: { suggestion: ContextSuggestion }) {
  const { suggestionId, version, kind, targetId, targetName, baseRevision, targetRevision } = suggestion
  const withdrawing = useMutation({ mutationFn: () => withdrawSuggestion(suggestionId, version) })
  const ask = () =>
    confirm({
      title: `Withdraw your suggestion for ${targetName}?`,
      lost: 'It can no longer be accepted. It stays in your list.',
      verb: 'Withdraw suggestion',
      onConfirm: () => withdrawing.mutate(),
    })
  if (!suggestionCan.withdraw(suggestion)) return null
  return (
    <>
      {targetRevision !== baseRevision && (
        <Notice title={`The record has changed and is now at revision ${targetRevision}.`}>
          This suggestion can no longer be accepted. Replace it to compare your text with the current record.
        </Notice>
      )}
      {withdrawing.error && <ErrorNotice title="The suggestion was not withdrawn" error={withdrawing.error} />}
      <div className={classes.verbs}>
        <Button
          variant="default"
          component={Link}
          to={paths.contextRecord({ kind, id: targetId }, { replaces: suggestionId })}
        >
          Replace
        </Button>
        <Button variant="default" loading={withdrawing.isPending} onClick={ask}>
          Withdraw
        </Button>
      </div>
    </>
  )
}
