import { useQuery } from '@tanstack/react-query'

import { importListOptions } from '#src/api/imports.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { stateWords } from './import-words.ts'
import classes from './imports.module.css'

/** The newest imports of everybody, each with its result and its undo. */
export function PastImports() {
  const { data } = useQuery(importListOptions())
  if (!data || data.imports.length === 0) return null
  return (
    <Section title="Earlier imports">
      <ul className={classes.list}>
        {data.imports.map((each) => (
          <li key={each.id}>
            <TextLink href={paths.importResults({ id: each.id })}>{stateWords(each)}</TextLink>
            <span className={classes.muted}>
              {each.createdBy.name}, <RelativeTime at={each.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
