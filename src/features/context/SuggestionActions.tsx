import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'

import { suggestionCan } from '#contract/context-suggestions.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { type ShownSuggestion, withdrawSuggestion } from '#src/api/context-suggestions.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'

/** The author's actions on a suggestion. */
export function SuggestionActions({ suggestion }: { suggestion: ShownSuggestion }) {
  const { suggestionId, version, kind, targetId, targetName } = suggestion
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
      {withdrawing.error && <ErrorNotice title="The suggestion was not withdrawn" error={withdrawing.error} />}
      <div className={formParts.verbs}>
        <ForWriters>
          <Button
            variant="default"
            component={Link}
            to={paths.suggestChange({ kind, id: targetId }, { replaces: suggestionId })}
          >
            Replace
          </Button>
        </ForWriters>
        <Button variant="default" loading={withdrawing.isPending} onClick={ask}>
          Withdraw
        </Button>
      </div>
    </>
  )
}
