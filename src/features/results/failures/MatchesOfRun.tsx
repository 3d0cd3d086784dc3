import type { OutputMatch } from '#contract/output-matches.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import { matchHref, matchPlace } from '#src/shared/text-search/match-place.ts'
import hits from '#src/ui/hits.module.css'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { counted } from '#src/format/numbers.ts'
import classes from './OutputMatches.module.css'

/** The matches in one run. Each opens the run at its turn or its test. */
export function MatchesOfRun({ matches }: { matches: readonly OutputMatch[] }) {
  const [first] = matches
  if (!first) return null
  return (
    <li>
      <h2 className={classes.run}>
        <TextLink href={paths.run(first.id)}>{nameOfAxes(first.variantId)}</TextLink>
        <span>#{first.repeat}</span>
        <RelativeTime at={first.endedAt} />
      </h2>
      <ul className={hits.list}>
        {matches.map((match) => (
          <li key={`${match.turn} ${match.testName} ${match.stream}`}>
            <TextLink className={hits.hit} href={matchHref(match)}>
              <span className={classes.place}>
                {matchPlace(match)}
                {match.occurrences > 1 && ` · ${counted(match.occurrences, 'occurrence')}`}
              </span>
              <code className={hits.context}>
                {match.before}
                <mark>{match.match}</mark>
                {match.after}
              </code>
            </TextLink>
          </li>
        ))}
      </ul>
    </li>
  )
}
