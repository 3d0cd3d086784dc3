import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { ContextVersion } from '#contract/context-records.ts'
import { recordVersionOptions } from '#src/api/context-records.ts'
import type { RecordTarget } from '#src/api/context-suggestions.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { FieldDiff } from './FieldDiff.tsx'
import { RecordFields } from './RecordFields.tsx'
import classes from './records.module.css'

/** `before` is a revision; without it the whole text is shown. */
type Props = { target: RecordTarget; before?: number; after: ContextVersion }

/** What differs from one version to another, or the whole text of one. */
export function VersionChanges({ target, before, after }: Props) {
  const old = useQuery({ ...recordVersionOptions(target, before ?? 0), enabled: before !== undefined })
  const now = useQuery(recordVersionOptions(target, after.revision))
  const failed = [old, now].find(({ error }) => error)
  if (failed?.error)
    return (
      <ErrorNotice title="The version could not be loaded" error={failed.error} onRetry={() => void failed.refetch()} />
    )
  const isWhole = before === undefined
  if (!now.data || (!isWhole && !old.data)) return <Skeleton height={240} />
  const { suggestion } = after
  const changed = Object.entries(now.data.fields).filter(([name, text]) => text !== (old.data?.fields[name] ?? ''))
  return (
    <div className={classes.diffs}>
      {suggestion && (
        <p className={classes.quiet}>
          From the{' '}
          <TextLink href={paths.contextSuggestions({ show: 'all', suggestion: suggestion.suggestionId })}>
            suggestion by {suggestion.author.name}
          </TextLink>
        </p>
      )}
      {isWhole && <RecordFields fields={now.data.fields} />}
      {!isWhole && changed.length === 0 && <p className={classes.quiet}>The texts are the same.</p>}
      {!isWhole &&
        changed.map(([name, text]) => (
          <FieldDiff key={name} name={name} before={old.data?.fields[name] ?? ''} after={text} />
        ))}
    </div>
  )
}
