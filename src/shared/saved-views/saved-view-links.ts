import { isOfExperiment, type SavedView, type SavedViewPage } from '#contract/saved-views.ts'
import { paths } from '#src/paths.ts'

/** A page whose filters can be saved. */
export type ViewedPage = { page: SavedViewPage; experimentId?: string | undefined }

const pathOf = ({ page, experimentId = '' }: ViewedPage) =>
  ({
    experiments: () => paths.experiments(),
    runs: () => paths.runs(),
    reports: () => paths.reports(),
    insights: () => paths.insights(),
    context: () => paths.context(),
    experimentRuns: () => paths.experiment(experimentId, 'runs'),
    experimentResults: () => paths.experiment(experimentId, 'results'),
  })[page]()

export const savedViewHref = (view: ViewedPage & { query: string }) =>
  view.query === '' ? pathOf(view) : `${pathOf(view)}?${view.query}`

export const isOfPage = (view: SavedView, { page, experimentId }: ViewedPage) =>
  view.page === page && (!isOfExperiment(page) || view.experimentId === experimentId)

/** Parameters of the side pane of results. */
export const paneParts = ['test', 'test_group', 'group', 'run', 'cell', 'signature'] as const

/** Parameters of open dialogs and side panes, which a saved view leaves out. */
const openParts = new Set<string>(['new', 'fork', 'submit', ...paneParts])

/** The part of a page's query that is saved, in a fixed order, so that equal views have equal queries. */
export function viewQueryOf(search: URLSearchParams | string): string {
  const kept = [...new URLSearchParams(search)].filter(([name, value]) => value !== '' && !openParts.has(name))
  return new URLSearchParams(kept.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString()
}

/** The link of a page for this reader: their default view of it, or the page without filters. */
export function startOf(views: readonly SavedView[] | undefined, page: ViewedPage): string {
  const first = views?.find((view) => view.isDefault && isOfPage(view, page))
  return first ? savedViewHref(first) : pathOf(page)
}
