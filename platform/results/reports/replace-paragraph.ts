import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { type Anchor, findParagraph, paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { notifyWriters } from './notify-writers.ts'
import { lockReport, requireReport, requireUnchanged } from './require-report.ts'
import { changeReport, nextEventTime, type ReportKey } from './store.ts'
import { recordWrite, refuseLongBody } from './write-body.ts'

/** Locks a report for a change of its text. Call it first in the transaction. Errors: `not_found`, and 409. */
export async function lockToWrite(tx: Database, key: ReportKey, expectedUpdatedAt: string) {
  const updatedAt = await nextEventTime(tx, key.organizationId)
  // Comments lock the report before a thread, so a decision does too.
  await lockReport(tx, key)
  const { id, bodyMarkdown } = await requireUnchanged(tx, key, expectedUpdatedAt)
  return { key, id, bodyMarkdown, updatedAt }
}

type Locked = Awaited<ReturnType<typeof lockToWrite>>

/**
 * Replaces a paragraph by another text, as a write of the caller. Errors: `failed_precondition` if the paragraph no
 * longer has the original text.
 */
export async function replaceParagraph(
  { organization, caller }: Context,
  tx: Database,
  { key, id, bodyMarkdown: before, updatedAt }: Locked,
  { anchor, original, replacement }: { anchor: Anchor; original: string; replacement: string },
) {
  const found = findParagraph(paragraphsOf(before), anchor)
  if (found?.text !== original)
    throw preconditionFailed(
      'The paragraph changed since this text was suggested. Edit the report, or decline the suggestion',
    )
  const after = canonicalMarkdown(before.slice(0, found.from) + replacement + before.slice(found.to))
  refuseLongBody(after)
  await changeReport(tx, id, { bodyMarkdown: after, updatedBy: caller.recordedUnder, updatedAt })
  await recordWrite(tx, id, updatedAt, { before, after })
  await notifyWriters({ organization, caller }, tx, await requireReport(tx, key))
}
