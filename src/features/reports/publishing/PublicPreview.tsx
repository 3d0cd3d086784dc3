import '#src/embed/published.css'
import '#src/embed/published-report.css'
import { useEffect, useRef } from 'react'

import type { PublishedDocument } from '#contract/published-document.ts'
import type { Report } from '#contract/reports.ts'
import { imageSource } from '#src/api/report-images.ts'
import { styleDocument } from '#src/embed/draw-document.ts'
import { drawReport } from '#src/embed/published-report.ts'
import classes from '#src/shared/publishing/publishing.module.css'

type Props = { report: Report; document: PublishedDocument; organization: string }

/** The public page, drawn by the same code. */
export function PublicPreview({ report, document: page, organization }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  // Browser API: the page is plain elements with a style sheet of their own.
  useEffect(() => {
    const sheet = styleDocument(page)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    const { title, description, createdBy, updatedAt } = report
    const shown = {
      title,
      ...(description && { description }),
      organization: { name: organization },
      author: createdBy.name,
      version: updatedAt,
      publishedAt: new Date().toISOString(),
      document: page,
    }
    ref.current?.replaceChildren(...drawReport(shown, imageSource))
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
    }
  }, [report, page, organization])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It must scroll by keyboard too.
    <section className={classes.preview} aria-label="Preview of the public page" tabIndex={0}>
      <div ref={ref} className="published-report" inert />
    </section>
  )
}
