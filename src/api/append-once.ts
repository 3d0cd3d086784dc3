import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { Report, ReportWithBody } from '#contract/reports.ts'

export type AppendPorts = {
  read: () => Promise<ReportWithBody>
  append: (block: { markdown: string; expectedUpdatedAt: string }) => Promise<ReportWithBody>
  isStale: (error: unknown) => boolean
}

const attempts = 5

/**
 * Appends a unique block (a clip contains its time). It reads the report first, so a retry after a lost response finds
 * the block already there. If someone else's write came first, it starts again.
 */
export async function appendOnce({ read, append, isStale }: AppendPorts, markdown: string): Promise<ReportWithBody> {
  for (let attempt = 1; ; attempt += 1) {
    const report = await read()
    if (holdsBlock(report, markdown)) return report
    try {
      return await append({ markdown, expectedUpdatedAt: report.report.updatedAt })
    } catch (error) {
      if (!isStale(error) || attempt === attempts) throw error
    }
  }
}

export type CreatePorts = {
  latest: () => Promise<readonly Report[]>
  read: (reportId: string) => Promise<ReportWithBody>
  create: () => Promise<ReportWithBody>
}

export type NewReport = {
  title: string
  description?: string | undefined
  bodyMarkdown?: string | undefined
  /** The id of the person who retries after a lost response. */
  triedBy?: string | undefined
}

/**
 * Creates a report, unless a recent report has the same title and contains its text, because then an earlier attempt
 * succeeded. Reports without text may share a title, so such a report only counts if the same person tried before and
 * nobody has changed it.
 */
export async function createOnce({ latest, read, create }: CreatePorts, newReport: NewReport): Promise<ReportWithBody> {
  const { title, description = '', bodyMarkdown = '', triedBy } = newReport
  const isEmpty = bodyMarkdown.trim() === ''
  const isTried = (report: Report) =>
    report.createdBy.id === triedBy &&
    report.updatedAt === report.createdAt &&
    (report.description ?? '') === description.trim()
  const candidates = isEmpty && triedBy === undefined ? [] : await latest()
  for (const report of candidates.filter((report) => report.title === title.trim() && (!isEmpty || isTried(report)))) {
    const found = await read(report.id)
    if (isEmpty ? found.bodyMarkdown === undefined : holdsBlock(found, bodyMarkdown)) return found
  }
  return create()
}

const holdsBlock = ({ bodyMarkdown = '' }: ReportWithBody, markdown: string) =>
  bodyMarkdown.includes(canonicalMarkdown(markdown).trimEnd())
