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

/** Begins a report, unless one of the latest has its title and holds its text: then an earlier try did. */
export async function beginOnce(
  { latest, read, begin }: BeginPorts,
  { title, bodyMarkdown = '' }: { title: string; bodyMarkdown?: string | undefined },
): Promise<ReportWithBody> {
  // Two reports without a text may share a title.
  const candidates = bodyMarkdown.trim() === '' ? [] : await latest()
  for (const { id } of candidates.filter((report) => report.title === title.trim())) {
    const begun = await read(id)
    if (holdsBlock(begun, bodyMarkdown)) return begun
  }
  return begin()
}

const holdsBlock = ({ bodyMarkdown = '' }: ReportWithBody, markdown: string) =>
  bodyMarkdown.includes(canonicalMarkdown(markdown).trimEnd())
