import type { TextSearch } from '#contract/text-search.ts'
import { count, counted } from '#src/format/numbers.ts'

type Counts = Pick<TextSearch, 'searchedReports' | 'totalReports' | 'searchedRuns' | 'totalRuns'>

/** Says where a search has looked, and how far it got. The first page has the reports, the last one the runs. */
export function searchExtent(pages: readonly Counts[]) {
  const [first, last] = [pages[0], pages.at(-1)]
  if (!first || !last) return ''
  const runs = partOf(last.searchedRuns, last.totalRuns, 'run')
  const reports = partOf(first.searchedReports, first.totalReports, 'report')
  return `Searched the transcripts, test output and errors of ${runs}, and ${reports}.`
}

const partOf = (searched: number, total: number, noun: string) =>
  searched < total ? `the latest ${count(searched)} of ${counted(total, noun)}` : counted(total, noun)
