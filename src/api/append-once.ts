import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { Report, ReportWithBody } from '#contract/reports.ts'

export type AppendPorts = {
  read: () => Promise<ReportWithBody>
  append: (block: { markdown: string; expectedUpdatedAt: string }) => Promise<ReportWithBody>
  isStale: (error: unknown) => boolean
}

const attempts = 5

/**
 * Appends a block that occurs once in the world: a clip holds its moment. The report is read first, so that trying again
 * after an answer that was lost on the way finds the block there; a write that others' overtook begins anew.
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

export type BeginPorts = {
  latest: () => Promise<readonly Report[]>
  read: (reportId: string) => Promise<ReportWithBody>
  begin: () => Promise<ReportWithBody>
}

export type Beginning = {
  title: string
  description?: string | undefined
  bodyMarkdown?: string | undefined
  /** The id of who tries once more, after an answer that was lost. */
  triedBy?: string | undefined
}

/**
 * Begins a report, unless one of the latest has its title and holds its text: then an earlier try did. Reports without a
 * text may share a title, so one of those counts only for whoever tried before, and while nobody has touched it.
 */
export async function beginOnce({ latest, read, begin }: BeginPorts, beginning: Beginning): Promise<ReportWithBody> {
  const { title, description = '', bodyMarkdown = '', triedBy } = beginning
  const isEmpty = bodyMarkdown.trim() === ''
  const isTried = (report: Report) =>
    report.createdBy.id === triedBy &&
    report.updatedAt === report.createdAt &&
    (report.description ?? '') === description.trim()
  const candidates = isEmpty && triedBy === undefined ? [] : await latest()
  for (const report of candidates.filter((report) => report.title === title.trim() && (!isEmpty || isTried(report)))) {
    const begun = await read(report.id)
    if (isEmpty ? begun.bodyMarkdown === undefined : holdsBlock(begun, bodyMarkdown)) return begun
  }
  return begin()
}

const holdsBlock = ({ bodyMarkdown = '' }: ReportWithBody, markdown: string) =>
  bodyMarkdown.includes(canonicalMarkdown(markdown).trimEnd())
