import { Warnings } from '#src/shared/publishing/Warnings.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import type { Identifying } from './identifying-columns.ts'

export const identifiesPeople = ({ people, addresses, isPersonHidden }: Identifying) =>
  people.length > 0 || addresses.length > 0 || isPersonHidden

/** Warns about data on people and the organization that would become public. */
export function PublishWarnings({ found, editHref }: { found: Identifying; editHref: string }) {
  const { people, addresses, transcripts, records, isPersonHidden } = found
  const warnings = [
    people.length > 0 && `${columnsOf(people)} the ids or names of people.`,
    addresses.length > 0 && `${columnsOf(addresses)} email addresses.`,
    isPersonHidden &&
      'The query reads triggered_by, the id of the person who submitted the run. Check whether a column shows it.',
    transcripts.length > 0 &&
      `${columnsOf(transcripts)} text of transcripts or tests, including anything the agent read or wrote.`,
    records.length > 0 && `${columnsOf(records)} ids of your runs, which viewers can’t open.`,
  ].filter((words) => words !== false)
  const title = identifiesPeople(found) ? 'This exposes personal data.' : 'This exposes more than aggregates.'
  return (
    <Warnings title={title} warnings={warnings}>
      <TextLink href={editHref}>Edit the query</TextLink>
    </Warnings>
  )
}

const columnsOf = (names: readonly string[]) =>
  names.length === 1 ? `Column ${names[0]} contains` : `Columns ${names.join(', ')} contain`
