import type { PublishedReport } from '#contract/report-publications.ts'
import { type Markup, markup } from './markup.ts'
import { calendarDay, exactTime } from '#src/format/dates.ts'
import { drawDocument } from './draw-document.ts'
import { toDom } from './to-dom.ts'

/** The elements of the public page of a report. The publish dialog previews the same ones. */
export function drawReport(report: PublishedReport, imageSource: (place: string) => string): Element[] {
  const body = document.createElement('div')
  body.className = 'published-body'
  body.append(drawDocument(report.document, imageSource))
  return [toDom(headOf(report)), body, toDom(footOf(report))]
}

function headOf({ organization, title, description, author, publishedAt }: PublishedReport): Markup {
  return markup(
    'header',
    { className: 'published-head' },
    markup('p', { className: 'published-organization' }, organization.name),
    markup('h1', { className: 'published-title' }, title),
    ...(description ? [markup('p', { className: 'published-lead' }, description)] : []),
    markup('p', { className: 'published-about' }, `By ${author} · Published `, day(publishedAt)),
  )
}

function footOf({ version, publishedAt }: PublishedReport): Markup {
  return markup(
    'footer',
    { className: 'published-foot' },
    markup('span', {}, 'Saved ', time(version), '. The figures stay as they are until the report is published again.'),
    markup('span', {}, 'Published ', time(publishedAt)),
    markup('span', {}, 'Made with Assay'),
  )
}

const day = (at: string) => markup('time', { dateTime: at }, calendarDay(at))
const time = (at: string) => markup('time', { dateTime: at }, exactTime(at))
