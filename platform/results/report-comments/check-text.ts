import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { mentionedPeople } from '#contract/report-blocks/mentions.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { exhausted, invalid } from '#platform/ground/failures/failure.ts'
import { countOfHour, countOfReport, lockAuthor } from './store.ts'

/** The text as it is stored. Errors: `invalid_argument` for a text without words or with too many mentions. */
export function checkText(text: string): string {
  const stored = canonicalMarkdown(text).trimEnd()
  if (stored === '') throw invalid('`text` must not be blank')
  if (mentionedPeople(stored).length > limits.mentionsPerComment)
    throw invalid(`A comment can mention at most ${limits.mentionsPerComment} people`)
  return stored
}

/** Errors: `resource_exhausted`. The caller has locked the report. */
export async function requireCommentQuota(
  tx: Database,
  { reportId, authorId }: { reportId: string; authorId: string },
) {
  if ((await countOfReport(tx, reportId)) >= limits.commentsPerReport)
    throw exhausted(
      `The report has reached its limit of ${limits.commentsPerReport} comments. To make room, delete comments that you no longer need`,
    )
  await lockAuthor(tx, authorId)
  if ((await countOfHour(tx, authorId)) >= limits.commentsPerHour)
    throw exhausted(`You wrote ${limits.commentsPerHour} comments in the last hour. Try again later`)
}
