import type { PublishedInsight } from '#contract/publications.ts'
import { drawResult } from '#src/charts/result/draw-result.ts'
import type { Hit } from '#src/charts/result/drawing.ts'
import { type Markup, markup } from '#src/charts/result/markup.ts'
import { kindOf, showValue } from '#src/charts/result/values.ts'
import { calendarDay, exactTime } from '#src/format/dates.ts'
import { count, counted } from '#src/format/numbers.ts'

export type Published = { parts: Markup[]; hits: readonly Hit[] }

/** The content of the public page for a width in pixels. The publish dialog previews the same content. */
export function publishedMarkup(insight: PublishedInsight, width: number): Published {
  const drawn = insight.presentation ? drawResult(insight, insight.presentation, width) : null
  const chart = drawn && 'picture' in drawn ? drawn : null
  const picture = chart && markup('div', { className: 'rc' }, ...chart.legend, chart.picture, ...chart.notes)
  const table = tableOf(insight)
  const body = picture ? [picture, twinOf(table)] : [table]
  return { parts: [headOf(insight), ...body, footOf(insight)], hits: chart?.hits ?? [] }
}

function headOf({ organization, heading, description, about, publishedAt }: PublishedInsight): Markup {
  const published = markup('time', { dateTime: publishedAt }, calendarDay(publishedAt))
  return markup(
    'header',
    { className: 'published-head' },
    markup('p', { className: 'published-organization' }, organization.name),
    markup('h1', { className: 'published-heading' }, heading),
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
  const classOf = (place: number) => (kinds[place] === 'number' ? 'published-number' : undefined)
  const head = columns.map(({ name }, place) => markup('th', { scope: 'col', className: classOf(place) }, name))
  const lines = rows.map((row) =>
    markup(
      'tr',
      {},
      ...columns.map((_, place) => markup('td', { className: classOf(place) }, showValue(row[place], kinds[place]))),
    ),
  )
  const table = markup('table', {}, markup('thead', {}, markup('tr', {}, ...head)), markup('tbody', {}, ...lines))
  // A wide table scrolls on its own, and by keyboard.
  return markup('div', { className: 'published-table', role: 'region', 'aria-label': heading, tabIndex: 0 }, table)
}
