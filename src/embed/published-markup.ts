import type { Presentation } from '#contract/insight-fields.ts'
import type { PublishedInsight } from '#contract/publications.ts'
import { whyNotDrawn } from '#src/charts/result/presentation.ts'
import { columnFormats, kindOf } from '#src/charts/result/values.ts'
import { calendarDay, exactTime } from '#src/format/dates.ts'
import { count, counted, withUnbrokenPercents } from '#src/format/numbers.ts'
import { type Markup, markup } from './markup.ts'

/** The public page around its chart. `body` is the table, folded if there is a chart. */
export type PublishedParts = { head: Markup; body: Markup; foot: Markup }

/** The content of the public page of an insight, without its chart. The publish dialog previews the same content. */
export function publishedMarkup(insight: PublishedInsight): PublishedParts {
  const table = tableOf(insight)
  return { head: headOf(insight), body: drawnAs(insight) ? twinOf(table) : table, foot: footOf(insight) }
}

/** The chart of an insight; null if there is none, so that the page is a table. */
export function drawnAs({ presentation, columns, rows }: PublishedInsight): Presentation | null {
  if (!presentation || presentation.kind === 'table' || rows.length === 0) return null
  return whyNotDrawn(presentation, columns) === null ? presentation : null
}

function headOf({ organization, heading, description, about, publishedAt }: PublishedInsight): Markup {
  const published = markup('time', { dateTime: publishedAt }, calendarDay(publishedAt))
  return markup(
    'header',
    { className: 'published-head' },
    markup('p', { className: 'published-organization' }, organization.name),
    markup('h1', { className: 'published-heading' }, withUnbrokenPercents(heading)),
    ...(description ? [markup('p', { className: 'published-description' }, description)] : []),
    markup('p', { className: 'published-about' }, `${aboutOf(about)} · Published `, published),
  )
}

function aboutOf({ kind, experiment = '' }: PublishedInsight['about']) {
  if (kind === 'none') return 'All experiments'
  return kind === 'run' ? `One run of ${experiment}` : `Experiment: ${experiment}`
}

/** The page replaces this time when a refresh returns the same rows. */
export const asOfClass = 'published-as-of'

function footOf(insight: PublishedInsight): Markup {
  const { asOf } = insight
  const time = markup('time', { className: asOfClass, dateTime: asOf }, exactTime(asOf))
  return markup(
    'footer',
    { className: 'published-foot' },
    markup('span', {}, `${extentOf(insight)} · as of `, time),
    markup('span', {}, 'Made with Assay'),
  )
}

const extentOf = ({ rows, truncated }: PublishedInsight) =>
  truncated ? `First ${count(rows.length)} rows` : counted(rows.length, 'row')

/** Every chart has its numbers next to it. */
const twinOf = (table: Markup) =>
  markup('details', { className: 'published-twin' }, markup('summary', {}, 'Table'), table)

function tableOf({ columns, rows, heading }: PublishedInsight): Markup {
  const kinds = columns.map((column) => kindOf(column))
  const formats = columnFormats({ columns, rows })
  const classOf = (place: number) => (kinds[place] === 'number' ? 'published-number' : undefined)
  const head = columns.map(({ name }, place) => markup('th', { scope: 'col', className: classOf(place) }, name))
  const lines = rows.map((row) =>
    markup('tr', {}, ...formats.map((show, place) => markup('td', { className: classOf(place) }, show(row[place])))),
  )
  const table = markup('table', {}, markup('thead', {}, markup('tr', {}, ...head)), markup('tbody', {}, ...lines))
  // A wide table scrolls on its own, and by keyboard.
  return markup('div', { className: 'published-table', role: 'region', 'aria-label': heading, tabIndex: 0 }, table)
}
