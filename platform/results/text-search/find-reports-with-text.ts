import type { ReportWithText } from '#contract/text-search.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { rankMatches } from './rank-matches.ts'
import { countReports, findReportPage, type ReportPlace } from './store.ts'

/** Reports are read in parts, so that other statements run between them. */
const part = 40

/** Reports that take longer are left out, and the count of searched ones says so. */
const milliseconds = 1000

const charactersAround = 160

/** The reports whose title or text has a text, those whose title has it first. */
export async function findReportsWithText({ db, organization }: Context, search: string, limit: number) {
  const endAt = Date.now() + milliseconds
  const [inTitle, inText]: [ReportWithText[], ReportWithText[]] = [[], []]
  let searchedReports = 0
  let after: ReportPlace | null = null
  for (;;) {
    const rows: Awaited<ReturnType<typeof findReportPage>> = await findReportPage(db, {
      organizationId: organization.id,
      search,
      after,
      limit: part,
    })
    for (const { id, title, updatedAt, isInTitle, excerpt } of rows) {
      const found = isInTitle ? around(title, search) : excerpt === null ? null : around(excerpt, search)
      if (found) (isInTitle ? inTitle : inText).push({ id, title, updatedAt, ...found })
    }
    searchedReports += rows.length
    after = rows.at(-1) ?? null
    if (rows.length < part || Date.now() >= endAt) break
  }
  const reports = [...rankMatches(inTitle, search), ...rankMatches(inText, search)].slice(0, limit)
  return { reports, searchedReports, totalReports: await countReports(db, organization.id) }
}

/** Letters whose lower case is longer move the place of a match, so that it may not be in the excerpt. */
function around(text: string, search: string) {
  const at = text.toLowerCase().indexOf(search.toLowerCase())
  if (at < 0) return { before: '', match: '', after: text.slice(0, charactersAround) }
  const end = at + search.length
  return {
    before: text.slice(Math.max(0, at - charactersAround), at),
    match: text.slice(at, end),
    after: text.slice(end, end + charactersAround),
  }
}
