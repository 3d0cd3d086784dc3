import { afterEach, beforeEach, expect, test } from 'vitest'

import { editComment, deleteComment } from '#platform/results/report-comments/change-comment.ts'
import { replyToThread } from '#platform/results/report-comments/reply-to-thread.ts'
import { startThread } from '#platform/results/report-comments/start-thread.ts'
import { createReport } from '#platform/results/reports/create-report.ts'
import { publishReport } from '#platform/results/reports/sharing/publish-report.ts'
import { updateReport } from '#platform/results/reports/update-report.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { removeUnchanged } from './remove-unchanged.ts'

let opened: Awaited<ReturnType<typeof openTestContext>>
beforeEach(async () => {
  opened = await openTestContext()
})
afterEach(() => opened.close())

/** A report with a comment, both of the demo. */
async function makeReport() {
  const { context } = opened
  const { report } = await createReport(context, { title: 'Findings', bodyMarkdown: 'One.\n' })
  const { id: reportId, updatedAt } = report
  const thread = await startThread(context, { reportId, quote: 'One.', position: 0, text: 'Who ran it?' })
  const [comment] = thread.comments
  return { reportId, updatedAt, threadId: thread.id, commentId: comment?.id ?? '' }
}

type Made = Awaited<ReturnType<typeof makeReport>>

const remove = ({ reportId, updatedAt, commentId }: Made) => {
  const { context } = opened
  const item = { organizationId: context.organization.id, name: 'report', itemId: reportId, state: updatedAt }
  return context.db.transaction((db) =>
    removeUnchanged({ ...context, db }, 'report', [{ ...item, kind: 'report' }], [commentId]),
  )
}

const documentJson = JSON.stringify({
  nodes: [
    { in: -1, tag: 'p' },
    { in: 0, text: 'One.' },
  ],
  rules: [],
  variables: { light: {}, dark: {} },
})

test.each([
  [
    'has a reply',
    (made: Made) => replyToThread(opened.context, { ...made, text: 'We did.' }),
    'people commented on it',
  ],
  [
    'has a comment that a person rewrote',
    (made: Made) => editComment(opened.context, { ...made, text: 'We ran it.' }),
    'people commented on it',
  ],
  [
    'has another title',
    (made: Made) => updateReport(opened.context, { ...made, title: 'Ours', expectedUpdatedAt: made.updatedAt }),
    'it was changed since the demo made it',
  ],
  [
    'is published',
    (made: Made) => publishReport(opened.context, { ...made, expectedUpdatedAt: made.updatedAt, documentJson }),
    'it is published',
  ],
])('a report of the demo stays if it %s', async (_, work, reason) => {
  const made = await makeReport()
  await work(made)
  const { lines, keptIds } = await remove(made)
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^Kept the report "\\w+", because ${reason}$`))])
  expect(keptIds).toEqual([made.reportId])
})

test('a report with comments of the demo alone goes, even after a person deleted theirs', async () => {
  const made = await makeReport()
  const { comments } = await replyToThread(opened.context, { ...made, text: 'We did.' })
  await deleteComment(opened.context, { ...made, commentId: comments[1]?.id ?? '' })
  expect(await remove(made)).toEqual({ lines: ['Removed 1 report'], keptIds: [] })
})
