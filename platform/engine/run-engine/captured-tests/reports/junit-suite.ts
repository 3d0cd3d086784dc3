import type { ReportCase } from './report-case.ts'
import type { XmlElement } from './report-xml.ts'

/** What totals count of one case: `notes` are its failures and errors, those of earlier attempts too. */
export type JunitCase = { case: ReportCase; notes: number; attempts: number }

export type JunitSuite = {
  element: XmlElement
  name: string
  cases: JunitCase[]
  suites: JunitSuite[]
  /** The failures and errors of the suite itself, such as a build or a hook that failed. */
  complaints: string[]
}
