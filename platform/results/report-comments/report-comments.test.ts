import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { formatMention } from '#contract/report-blocks/mentions.ts'
import type { ReportThread } from '#contract/report-comments.ts'
import { limits } from '#contract/wire/limit.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const max = await platform.newKey({ role: 'member', email: 'max@lab.example' })
const maxId: string = (await platform.request('GET', '/whoami', { key: max })).json.actor.id
const eve = await platform.newKey({ role: 'member', email: 'eve@lab.example' })
afterAll(() => platform.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, key = platform.admin) =>
  platform.request(method, `/reports/${path}`, { key, body })

const body = 'Intro.\n\nThe careful agent solves most tests.\n\nEnd.\n'

async function makeReport(bodyMarkdown = body) {
  const { json } = await platform.request('POST', '/reports', { body: { title: 'Findings', bodyMarkdown } })
  return { id: json.report.id as string, updatedAt: json.report.updatedAt as string }
}

const anchor = { quote: 'The careful agent solves most tests.', position: 8 }

async function comment(reportId: string, text = 'Is that so?', key = platform.admin): Promise<ReportThread> {
  const { status, json } = await call('POST', `${reportId}/comments`, { ...anchor, text }, key)
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

const threadsOf = async (reportId: string, key = platform.admin): Promise<ReportThread[]> =>
  (await call('GET', `${reportId}/comments`, undefined, key)).json.threads

const newsOf = async (key: string) =>
  (await platform.request('GET', '/notifications', { key })).json.entries as {
    type: string
    payload: { comment_id: string }
  }[]

test('a thread has its comments in order, and leaves the stamp of the report as it was', async () => {
  const report = await makeReport()
  const thread = await comment(report.id)
  const { status, json } = await call('POST', `${report.id}/threads/${thread.id}/comments`, { text: 'It is.' }, max)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    ...anchor,
    comments: [{ text: 'Is that so?' }, { text: 'It is.', author: { id: maxId } }],
  })
  expect(await threadsOf(report.id, max)).toEqual([json])
  const save = { expectedUpdatedAt: report.updatedAt, title: 'Still the version that was read' }
  expect((await call('PATCH', report.id, save)).status).toBe(200)
})

test('a comment follows its paragraph through writes, and keeps the quote of a paragraph that is gone', async () => {
  const report = await makeReport()
  await comment(report.id)
  const write = async (bodyMarkdown: string) => {
    const { updatedAt: expectedUpdatedAt } = (await call('GET', report.id)).json.report
    const { json } = await call('PATCH', report.id, { expectedUpdatedAt, bodyMarkdown })
    const stored = json.bodyMarkdown as string
    const [thread] = await threadsOf(report.id)
    const found = paragraphsOf(stored).find(({ from, text }) => from === thread?.position && text === thread.quote)
    return { quote: thread?.quote, isThere: found !== undefined }
  }
  expect(await write('First.\n\nIntro.\n\nThe careful agent solves nearly all tests.\n\nEnd.')).toEqual({
    quote: 'The careful agent solves nearly all tests.',
    isThere: true,
  })
  const gone = { quote: 'The careful agent solves nearly all tests.', isThere: false }
  expect(await write('First.\n\nEnd.')).toEqual(gone)
  expect(await write('First.\n\nEnd. The careful one.')).toEqual(gone)
  expect(await write(`Back.\n\n${gone.quote}`)).toEqual({ ...gone, isThere: true })
  await call('POST', `${report.id}/blocks`, { markdown: 'Appended.' })
  expect((await threadsOf(report.id))[0]?.quote).toBe(gone.quote)
})

test('a comment on text that the report does not have is refused', async () => {
  const report = await makeReport()
  const refused = await call('POST', `${report.id}/comments`, { quote: 'Elsewhere', position: 0, text: 'Hm' })
  expect([refused.status, refused.json.error]).toEqual([412, 'failed_precondition'])
  expect(await threadsOf(report.id)).toEqual([])
})

test('the first to resolve a thread has resolved it, and anyone can open it again', async () => {
  const { id } = await makeReport()
  const thread = await comment(id)
  const path = `${id}/threads/${thread.id}`
  const both = await Promise.all([max, eve].map((key) => call('PATCH', path, { isResolved: true }, key)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]?.json.resolved).toEqual(both[1]?.json.resolved)
  expect((await call('PATCH', path, { isResolved: false }, max)).json.resolved).toBeUndefined()
})

test('people edit their own comments alone; admins also delete those of others', async () => {
  const { id } = await makeReport()
  const thread = await comment(id, 'Mine', max)
  const path = `${id}/comments/${thread.comments[0]?.id}`
  for (const key of [eve, platform.admin]) expect((await call('PATCH', path, { text: 'Yours' }, key)).status).toBe(403)
  expect((await call('DELETE', path, undefined, eve)).status).toBe(403)
  const { json } = await call('PATCH', path, { text: 'Still mine' }, max)
  expect(json.comments).toMatchObject([{ text: 'Still mine', editedAt: expect.any(String) }])
  expect((await call('DELETE', path)).status).toBe(204)
  expect(await threadsOf(id)).toEqual([])
})

test('a deleted comment leaves its place in the thread, and the last one takes the thread along', async () => {
  const { id } = await makeReport()
  const thread = await comment(id)
  const reply = (await call('POST', `${id}/threads/${thread.id}/comments`, { text: 'Yes' }, max)).json
  const [first, second] = (reply as ReportThread).comments
  await call('DELETE', `${id}/comments/${first?.id}`)
  const [left] = await threadsOf(id)
  expect(left?.comments.map(({ text }) => text)).toEqual([undefined, 'Yes'])
  const edit = await call('PATCH', `${id}/comments/${first?.id}`, { text: 'Back' })
  expect([edit.status, edit.json.error]).toEqual([404, 'not_found'])
  await call('DELETE', `${id}/comments/${second?.id}`, undefined, max)
  for (const [method, path, sent] of [
    ['POST', `${id}/threads/${thread.id}/comments`, { text: 'Late' }],
    ['PATCH', `${id}/threads/${thread.id}`, { isResolved: true }],
    ['DELETE', `${id}/comments/${second?.id}`, undefined],
  ] as const)
    expect((await call(method, path, sent)).status).toBe(404)
})

test('deleted comments at the end of a thread leave no places, and only deletions of others are audited', async () => {
  const { id } = await makeReport()
  const thread = await comment(id, 'One')
  for (const key of [max, platform.admin, max])
    await call('POST', `${id}/threads/${thread.id}/comments`, { text: 'More' }, key)
  const [, second, third, last] = (await threadsOf(id))[0]?.comments ?? []
  const audited = async () => {
    const { json } = await platform.request('GET', '/admin/v1/audit-events?event=comment.delete')
    return json.events.filter(({ details }: { details: { reportId: string } }) => details.reportId === id)
  }
  const remove = (commentId = '', key = platform.admin) => call('DELETE', `${id}/comments/${commentId}`, undefined, key)
  await remove(second?.id, max)
  await remove(third?.id)
  expect(await audited()).toEqual([])
  expect((await threadsOf(id))[0]?.comments.map(({ text }) => text)).toEqual(['One', undefined, undefined, 'More'])
  await remove(last?.id)
  expect(await audited()).toMatchObject([
    { subject: 'max@lab.example', details: { reportId: id, commentId: last?.id, createdBy: maxId } },
  ])
  expect((await threadsOf(id))[0]?.comments.map(({ text }) => text)).toEqual(['One'])
})

test('a reply and the deletion of its thread at once: the reply is kept or refused, never lost', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await makeReport()
    const thread = await comment(id)
    const [reply] = await Promise.all([
      call('POST', `${id}/threads/${thread.id}/comments`, { text: 'Racing' }, max),
      call('DELETE', `${id}/comments/${thread.comments[0]?.id}`),
    ])
    const texts = (await threadsOf(id)).flatMap(({ comments }) => comments.map(({ text }) => text))
    expect(texts).toEqual(reply.status === 201 ? [undefined, 'Racing'] : [])
    if (reply.status !== 201) expect(reply.status).toBe(404)
  }
})

test('the mentioned, the writers and the authors in a thread are notified, each once', async () => {
  const { id } = await makeReport()
  const mention = formatMention({ kind: 'person', id: maxId }, 'Max')
  const stranger = formatMention({ kind: 'person', id: 'not-an-id' }, 'Nobody')
  const thread = await comment(id, `${mention} ${mention} and ${stranger}, look`, eve)
  const commentId = thread.comments[0]?.id
  const about = (news: Awaited<ReturnType<typeof newsOf>>) =>
    news.filter(({ payload }) => payload.comment_id === commentId).map(({ type }) => type)
  expect(about(await newsOf(max))).toEqual(['report.mentioned'])
  expect(about(await newsOf(platform.admin))).toEqual(['report.commented'])
  expect(about(await newsOf(eve))).toEqual([])
  const { json } = await call('POST', `${id}/threads/${thread.id}/comments`, { text: 'Done' })
  const replyId = json.comments.at(-1).id
  expect((await newsOf(eve)).find(({ payload }) => payload.comment_id === replyId)?.type).toBe('report.commented')
})

test('an edit notifies only those it mentions for the first time', async () => {
  const { id } = await makeReport()
  const thread = await comment(id, 'Look')
  const path = `${id}/comments/${thread.comments[0]?.id}`
  const count = async () => (await newsOf(max)).filter(({ type }) => type === 'report.mentioned').length
  const before = await count()
  const text = `Look, ${formatMention({ kind: 'person', id: maxId }, 'Max')}`
  for (const sent of [text, `${text}!`, 'Look', text]) await call('PATCH', path, { text: sent })
  expect(await count()).toBe(before + 1)
})

test('another organization and an organization key change nothing, and strangers see nothing', async () => {
  const { id } = await makeReport()
  const thread = await comment(id)
  const commentId = thread.comments[0]?.id
  await createOrganization(platform.services, { slug: 'foreign' })
  const stranger = await platform.newKey({ role: 'admin', organizations: ['foreign'], email: 'x@foreign.example' })
  const own = await platform.request('POST', '/reports', {
    key: stranger,
    body: { title: 'Theirs', bodyMarkdown: body },
  })
  const theirs = own.json.report.id as string
  expect((await call('GET', `${id}/comments`, undefined, stranger)).status).toBe(404)
  for (const reportId of [id, theirs])
    for (const [method, path, sent] of [
      ['POST', `${reportId}/threads/${thread.id}/comments`, { text: 'x' }],
      ['PATCH', `${reportId}/threads/${thread.id}`, { isResolved: true }],
      ['PATCH', `${reportId}/comments/${commentId}`, { text: 'x' }],
      ['DELETE', `${reportId}/comments/${commentId}`, undefined],
      ['DELETE', `${reportId}/comments/nonsense`, undefined],
    ] as const)
      expect([path, (await call(method, path, sent, stranger)).status]).toEqual([path, 404])
  // A person of another organization is not notified of a mention, and learns no name.
  const { json: them } = await platform.request('GET', '/whoami', { key: stranger })
  await comment(id, formatMention({ kind: 'person', id: them.actor.id }, 'You'))
  expect(await newsOf(stranger)).toEqual([])
  const { json } = await platform.request('POST', '/admin/v1/keys', { body: { name: 'CI', role: 'member' } })
  expect((await call('POST', `${id}/comments`, { ...anchor, text: 'x' }, json.key)).status).toBe(403)
  expect(await threadsOf(id, json.key)).toHaveLength(2)
})

test.each([
  ['blank', ' \n\u0007 '],
  ['too long', 'a'.repeat(limits.comment + 1)],
  ['full of mentions', Array.from({ length: 21 }, (_, at) => `[@x](assay://people/p${at})`).join(' ')],
])('a %s comment is refused', async (_, text) => {
  const { id } = await makeReport()
  const { status, json } = await call('POST', `${id}/comments`, { ...anchor, text })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

test('a deleted report takes its comments along', async () => {
  const { id } = await makeReport()
  const thread = await comment(id)
  expect((await call('DELETE', id)).status).toBe(200)
  expect((await call('GET', `${id}/comments`)).status).toBe(404)
  expect((await call('POST', `${id}/threads/${thread.id}/comments`, { text: 'x' })).status).toBe(404)
})

test('unchanged comments are 304, even to the second of two members', async () => {
  const { id } = await makeReport()
  await comment(id)
  const first = await call('GET', `${id}/comments`)
  const headers = { 'if-none-match': String(first.headers['etag']) }
  expect((await platform.request('GET', `/reports/${id}/comments`, { headers })).status).toBe(304)
  await comment(id, 'News', max)
  expect((await platform.request('GET', `/reports/${id}/comments`, { headers })).status).toBe(200)
})

test('comments on one paragraph after another notify a writer once, but replies and mentions always do', async () => {
  const { id } = await makeReport()
  const about = async (threads: ReportThread[]) => {
    const ids = new Set(threads.map(({ comments }) => comments.at(-1)?.id))
    const news = await newsOf(platform.admin)
    return news.filter(({ payload }) => ids.has(payload.comment_id)).map(({ type }) => type)
  }
  const [first, second] = [await comment(id, 'One', eve), await comment(id, 'Two', eve)]
  expect(await about([first, second])).toEqual(['report.commented'])
  const reply = await call('POST', `${id}/threads/${first.id}/comments`, { text: 'Three' }, eve)
  expect(await about([reply.json])).toEqual(['report.commented'])
  const { json } = await platform.request('GET', '/whoami')
  const mention = formatMention({ kind: 'person', id: json.actor.id }, 'Admin')
  expect(await about([await comment(id, mention, eve), await comment(id, mention, eve)])).toEqual([
    'report.mentioned',
    'report.mentioned',
  ])
  expect(await about([await comment(id, 'Four', max)])).toEqual(['report.commented'])
})

test('a person can write only so many comments in an hour, even if they delete them', async () => {
  const carl = await platform.newKey({ email: 'carl@lab.example' })
  const reports = await Promise.all(Array.from({ length: 6 }, () => makeReport()))
  const write = (reportId = reports[0]?.id, key = carl) =>
    call('POST', `${reportId}/comments`, { ...anchor, text: 'x' }, key)
  const [first] = (await write()).json.comments
  expect((await call('DELETE', `${reports[0]?.id}/comments/${first.id}`, undefined, carl)).status).toBe(204)
  const wrote = (count: number, minutesAgo: number) =>
    platform.services.db.execute(sql`insert into report_comment_times (comment_id, author_id, created_at)
      select gen_random_uuid(), ${first.author.id}::uuid, clock_timestamp() - make_interval(mins => ${minutesAgo})
      from generate_series(1, ${count})`)
  await wrote(1000, 61)
  expect((await write()).status).toBe(201)
  await wrote(limits.commentsPerHour - 3, 59)
  const atOnce = await Promise.all(reports.map(({ id }) => write(id)))
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 429, 429, 429, 429, 429])
  const { status, json } = await write()
  expect([status, json.message]).toEqual([429, expect.stringContaining('in the last hour')])
  expect((await write(reports[0]?.id, max)).status).toBe(201)
})

test('a report can have only so many comments, and deleted ones do not count', async () => {
  const { id } = await makeReport()
  const [first] = (await comment(id)).comments
  const copies = (count: number) =>
    platform.services.db.execute(sql`insert into report_comments (id, thread_id, author_id, text, created_at)
      select gen_random_uuid(), thread_id, author_id, text, created_at
      from report_comments, generate_series(1, ${count}) where id = ${first?.id}`)
  await copies(limits.commentsPerReport - 1)
  const full = await call('POST', `${id}/comments`, { ...anchor, text: 'x' }, max)
  expect([full.status, full.json.message]).toEqual([429, expect.stringContaining('limit of 500 comments')])
  expect((await call('DELETE', `${id}/comments/${first?.id}`)).status).toBe(204)
  await comment(id, 'There is room', max)
})
