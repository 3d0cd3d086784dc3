import { TextLink } from '#src/ui/TextLink.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import type { Identifying } from './identifying-columns.ts'
import classes from '#src/features/insights/query/saved.module.css'

export const namesPeople = ({ people, addresses, isPersonHidden }: Identifying) =>
  people.length > 0 || addresses.length > 0 || isPersonHidden

/** What strangers would learn of people and of the organization, in plain words. */
export function PublishWarnings({ found, editHref }: { found: Identifying; editHref: string }) {
  const { people, addresses, transcripts, records, isPersonHidden } = found
  const warnings = [
    people.length > 0 && `${columnsOf(people)} the ids or names of people.`,
    addresses.length > 0 && `${columnsOf(addresses)} e-mail addresses.`,
    isPersonHidden && 'The query reads triggered_by, the id of who submitted a run: look whether a column shows it.',
    transcripts.length > 0 && `${columnsOf(transcripts)} transcripts word by word: all that agents read and wrote.`,
    records.length > 0 && `${columnsOf(records)} ids of your runs, which strangers cannot open.`,
  ].filter((words) => words !== false)
  if (warnings.length === 0) return null
  return (
    <Notice
      title={namesPeople(found) ? 'This would tell strangers about people.' : 'Strangers would see more than numbers.'}
    >
      <ul className={classes.warnings}>
        {warnings.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <TextLink href={editHref}>Leave it out of the query</TextLink>
    </Notice>
  )
}

const columnsOf = (names: readonly string[]) =>
  names.length === 1 ? `Column ${names[0]} holds` : `Columns ${names.join(', ')} hold`
