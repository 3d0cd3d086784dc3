import { Button, Menu } from '@mantine/core'
import { IconDotsVertical, IconPencil } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { Link, type LoaderFunctionArgs, useParams } from 'react-router'

import type { Report } from '#contract/reports.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { openReportOptions, readReport } from '#src/api/reports.ts'
import { ReportPreview } from './ReportPreview.tsx'
import { usePrint } from './use-print.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { addressBase } from '#src/url/organization-address.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { CommentPanel } from './comments/CommentPanel.tsx'
import { CommentsButton } from './comments/CommentsButton.tsx'
import { CommentsContext } from './comments/CommentsContext.ts'
import commentClasses from './comments/comments.module.css'
import { PeopleHere } from './comments/PeopleHere.tsx'
import { renderMark } from './comments/ParagraphMark.tsx'
import { useReportComments } from './comments/use-report-comments.ts'
import { PublishButton, PublishDialog } from './publishing/PublishDialog.tsx'
import { listSources, type Source } from './list-sources.ts'
import classes from './ReadingPage.module.css'

export async function loader({ params: { id = '' } }: LoaderFunctionArgs) {
  await readReport(id)
  return null
}

/** A report to read and to print. Others' changes arrive while it is open. */
export function Component() {
  const { id = '' } = useParams()
  const url = useQueryState()
  const { data } = useSuspenseQuery(openReportOptions(id))
  const { report, bodyMarkdown = '' } = data
  const page = useRef<HTMLElement>(null)
  const { print, isPending } = usePrint(page)
  const sources = useMemo(() => listSources(bodyMarkdown), [bodyMarkdown])
  const comments = useReportComments({
    reportId: id,
    stored: bodyMarkdown,
    shown: bodyMarkdown,
    updatedAt: () => report.updatedAt,
  })
  return (
    <CommentsContext value={comments}>
      <title>{`${report.title} · Assay`}</title>
      <div className={classes.bar}>
        <TextLink href={paths.reports()}>Reports</TextLink>
        <PeopleHere people={comments.people} />
        <output className={classes.printing}>{isPending && 'Loading all figures…'}</output>
        <CommentsButton />
        <ForWriters>
          <PublishButton report={report} onClick={() => url.push({ publish: '1' })} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            component={Link}
            to={paths.editReport(id)}
          >
            Edit
          </Button>
        </ForWriters>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="compact-sm" variant="default" aria-label="More about the report" loading={isPending}>
              <IconDotsVertical size={14} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={print}>Print or save as PDF</Menu.Item>
            <Menu.Item component={Link} to={paths.reportHistory(id)}>
              Show history
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={commentClasses.withPanel} data-open={comments.isOpen}>
        <article ref={page} className={classes.page}>
          <header className={classes.head}>
            <h1 className={classes.title}>{report.title}</h1>
            {report.description && <p className={classes.lead}>{report.description}</p>}
            <p className={mutedText.note}>
              By {report.createdBy.name}. Last changed by {report.updatedBy.name},{' '}
              <RelativeTime at={report.updatedAt} />.
            </p>
          </header>
          <ReportPreview body={bodyMarkdown} renderMargin={renderMark} hasContents />
          <Colophon report={report} sources={sources} />
        </article>
        {comments.isOpen && <CommentPanel />}
      </div>
      <PublishDialog
        report={report}
        markdown={bodyMarkdown}
        rendered={page}
        opened={url.one('publish') !== ''}
        onClose={() => url.push({ publish: null })}
      />
    </CommentsContext>
  )
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** The end of a report: where its figures come from, and which version of the report this is. */
function Colophon({ report, sources }: { report: Report; sources: readonly Source[] }) {
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
