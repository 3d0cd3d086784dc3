import type { Report } from '#contract/reports.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { addressBase } from '#src/url/organization-address.ts'
import type { Source } from './list-sources.ts'
import classes from './ReadingPage.module.css'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** The end of a report: where its figures come from, and which version of the report this is. */
export function Colophon({ report, sources }: { report: Report; sources: readonly Source[] }) {
  const address = window.location.origin + addressBase() + paths.readReport(report.id)
  return (
    <footer className={classes.colophon}>
      {sources.length > 0 && (
        <>
          <h2 className={classes.colophonTitle}>Sources of the figures</h2>
          <ol className={classes.sources}>
            {sources.map(({ title, href }) => (
              <li key={href}>
                <TextLink href={href}>{title}</TextLink>
              </li>
            ))}
          </ol>
        </>
      )}
      <p>
        Version of <time dateTime={report.updatedAt}>{exact.format(new Date(report.updatedAt))}</time>
        <span className={classes.printed}>
          {', '}
          from <a href={address}>{address}</a>
        </span>
      </p>
    </footer>
  )
}
