import { searchableText } from '#src/api/text-search.ts'
import { TextHits } from '#src/shared/text-search/TextHits.tsx'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'

/** The list searches names; below it are the runs and reports whose text has what was typed. */
export function FoundInText() {
  const search = searchableText(useQueryState().one('search'))
  return (
    search !== null && (
      <Section title={`“${search}” in transcripts, test output, errors and reports`}>
        <TextHits key={search} search={search} limit={5} />
      </Section>
    )
  )
}
