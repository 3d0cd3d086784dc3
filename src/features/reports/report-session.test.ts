import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { ReportWithBody } from '#contract/reports.ts'
import type { Draft } from './report-draft.ts'
import { ReportSession } from './report-session.ts'
import { type Stored, toStored } from './stored-report.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const actor = { id: 'p', name: 'Ann' }
const stale = new Error('stale')
const gone = new Error('gone')

/** Acts like the platform's reports in memory: every write gets a new time, and stale writes are refused. */
function openTwoEditors(body = 'One.\n\nTwo.\n') {
  let stamp = 100_000
  let isDown = false
  let lost = 0
  let isGone = false
  let stored: Stored = { title: 'Title', description: '', body, updatedAt: '' }
  let draft: Draft | null = null
  const touch = () => {
    stamp += 1
    stored = { ...stored, updatedAt: `2026-11-20T10:00:00.${String(stamp).replace(/0+$/, '')}Z` }
  }
  touch()
  const result = (): ReportWithBody => ({
    report: { id: 'r', orgId: 'o', createdBy: actor, updatedBy: actor, createdAt: stored.updatedAt, ...stored },
    bodyMarkdown: stored.body,
  })
  const ports = {
    async save({ expectedUpdatedAt, bodyMarkdown, ...change }: { expectedUpdatedAt: string; bodyMarkdown?: string }) {
      if (isDown) throw new Error('down')
      if (isGone) throw gone
      if (expectedUpdatedAt !== stored.updatedAt) throw stale
      stored = { ...stored, ...change, ...(bodyMarkdown !== undefined && { body: canonicalMarkdown(bodyMarkdown) }) }
      touch()
      if (lost-- > 0) throw new Error('lost')
      return result()
    },
    read: async () => result(),
    isStale: (error: unknown) => error === stale,
    isGone: (error: unknown) => error === gone,
    canRetry: (error: unknown) => error !== stale && error !== gone,
    keepDraft(kept: Draft) {
      draft = kept
      return true
    },
    readDraft: () => draft,
    dropDraft: () => void (draft = null),
  }
  return {
    open: () => new ReportSession(toStored(result()), draft, ports),
    others(change: Partial<Stored>) {
      stored = { ...stored, ...change }
      touch()
      return toStored(result())
    },
    stored: () => stored,
    draft: () => draft,
    down: (value: boolean) => void (isDown = value),
    loseAnswer: () => void (lost = 1),
    remove: () => void (isGone = true),
  }
}

const rest = () => vi.advanceTimersByTimeAsync(2000)

test('an edit becomes a draft at once and is saved after a pause, which removes the draft', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  session.write({ body: 'One more.\n\nTwo.\n' })
  expect([session.current().status, editors.draft()?.body]).toEqual(['unsaved', 'One more.\n\nTwo.\n'])
  await rest()
  expect([session.current().status, editors.stored().body, editors.draft()]).toEqual([
    'stored',
    'One more.\n\nTwo.\n',
    null,
  ])
})

test('text typed during a save is saved next', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  session.write({ body: 'a' })
  void session.store()
  session.write({ body: 'ab' })
  await rest()
  expect([editors.stored().body, session.current().fields.body, session.current().status]).toEqual([
    'ab\n',
    'ab',
    'stored',
  ])
})

test('edits by others are merged into the text and reach the editor as changes', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  const changes: unknown[] = []
  session.attachEditor((given) => changes.push(...given))
  session.write({ body: 'Mine One.\n\nTwo.\n' })
  session.receive(editors.others({ body: 'One.\n\nTwo. Theirs.\n', title: 'Their title' }))
  expect(session.current().fields).toMatchObject({ title: 'Their title', body: 'Mine One.\n\nTwo. Theirs.\n' })
  expect(changes).toEqual([{ from: 15, to: 15, insert: ' Theirs.' }])
  await rest()
  expect(editors.stored()).toMatchObject({ title: 'Their title', body: 'Mine One.\n\nTwo. Theirs.\n' })
})

test('a save that comes second is merged and saved again', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  session.write({ body: 'Mine One.\n\nTwo.\n' })
  editors.others({ body: 'One.\n\nTwo.\n\nAppended.\n' })
  await rest()
  await rest()
  expect(editors.stored().body).toBe('Mine One.\n\nTwo.\n\nAppended.\n')
})

describe('a conflict between two people', () => {
  const conflicted = () => {
    const editors = openTwoEditors()
    const session = editors.open()
    session.write({ body: 'Mine.\n\nTwo.\n', title: 'My title' })
    session.receive(editors.others({ body: 'Theirs.\n\nTwo.\n\nThree.\n', title: 'Their title' }))
    return { editors, session }
  }

  test('a conflict is shown by paragraph, and nothing is saved until it is resolved', async () => {
    const { editors, session } = conflicted()
    expect(session.conflicts()).toEqual({
      texts: [{ from: 0, to: 6, base: 'One.\n', mine: 'Mine.\n', theirs: 'Theirs.\n' }],
      fields: [{ field: 'title', mine: 'My title', theirs: 'Their title' }],
    })
    await rest()
    expect([session.current().status, editors.stored().body]).toEqual(['conflict', 'Theirs.\n\nTwo.\n\nThree.\n'])
    expect(editors.draft()?.body).toBe('Mine.\n\nTwo.\n')
  })

  test('a resolved conflict is saved together with all other edits of both people', async () => {
    const { editors, session } = conflicted()
    session.write({ body: 'Mine.\n\nTwo more.\n' })
    session.resolve(['both'], { title: 'Their title' })
    await rest()
    expect(editors.stored()).toMatchObject({ title: 'Their title', body: 'Theirs.\n\nMine.\n\nTwo more.\n\nThree.\n' })
  })

  test('an edit that others make during a conflict is merged after its resolution', async () => {
    const { editors, session } = conflicted()
    session.receive(editors.others({ body: 'Theirs.\n\nTwo.\n\nThree.\n\nFour.\n' }))
    session.resolve(['mine'])
    await rest()
    expect(editors.stored().body).toBe('Mine.\n\nTwo.\n\nThree.\n\nFour.\n')
  })
})

test('a draft is merged with edits that others saved since', async () => {
  const editors = openTwoEditors()
  editors.down(true)
  const first = editors.open()
  first.write({ body: 'Mine One.\n\nTwo.\n' })
  first.close()
  const theirs = editors.others({ body: 'One.\n\nTwo. Theirs.\n' })
  editors.down(false)
  const second = editors.open()
  expect(second.current().fields.body).toBe('Mine One.\n\nTwo.\n')
  second.receive(theirs)
  await rest()
  expect([editors.stored().body, editors.draft()]).toEqual(['Mine One.\n\nTwo. Theirs.\n', null])
})

test('a draft based on the saved report is saved after a pause', async () => {
  const editors = openTwoEditors()
  const first = editors.open()
  first.write({ body: 'Mine.\n' })
  first.close()
  editors.open().receive(editors.stored())
  await rest()
  expect([editors.stored().body, editors.draft()]).toEqual(['Mine.\n', null])
})

test('a tab without changes keeps the draft of another tab, when it merges a save and when it closes', () => {
  const editors = openTwoEditors()
  const [writing, idle] = [editors.open(), editors.open()]
  editors.down(true)
  writing.write({ body: 'Mine One.\n\nTwo.\n' })
  idle.receive(editors.others({ body: 'One.\n\nTwo. Theirs.\n' }))
  expect(editors.draft()?.body).toBe('Mine One.\n\nTwo.\n')
  idle.close()
  expect(editors.draft()?.body).toBe('Mine One.\n\nTwo.\n')
})

test('a tab that discards the draft it opened keeps the text that another tab typed since', async () => {
  const editors = openTwoEditors()
  const writing = editors.open()
  writing.write({ body: 'Mine One.\n\nTwo.\n' })
  const opened = editors.open()
  await vi.advanceTimersByTimeAsync(1)
  writing.write({ body: 'Mine One. More.\n\nTwo.\n' })
  opened.write({ body: 'One.\n\nTwo.\n' })
  expect([opened.current().status, editors.draft()?.body]).toEqual(['stored', 'Mine One. More.\n\nTwo.\n'])
})

test('a failed save is reported, keeps the draft, and is retried when the server responds', async () => {
  const editors = openTwoEditors()
  editors.down(true)
  const session = editors.open()
  session.write({ body: 'Mine.\n' })
  await rest()
  expect([session.current().status, session.current().failure?.message, editors.draft()?.body]).toEqual([
    'failed',
    'down',
    'Mine.\n',
  ])
  session.write({ body: 'Mine. More.\n' })
  expect([session.current().status, session.current().failure?.message]).toEqual(['unsaved', 'down'])
  await rest()
  editors.down(false)
  session.receive(editors.stored())
  await rest()
  expect([session.current().status, editors.stored().body]).toEqual(['stored', 'Mine. More.\n'])
  expect(session.current().failure).toBeUndefined()
})

describe('a save whose response was lost', () => {
  const lose = async (more: string) => {
    const editors = openTwoEditors()
    const session = editors.open()
    const held = { ...editors.stored() }
    editors.loseAnswer()
    session.write({ body: 'One.\n\nTwo.\n\nMine.\n', title: 'My title' })
    await rest()
    expect([session.current().status, editors.stored().body]).toEqual(['failed', 'One.\n\nTwo.\n\nMine.\n'])
    // A poll may return the old report before it reads the new one.
    session.receive(held)
    session.write({ body: `One.\n\nTwo.\n\nMine.${more}\n` })
    return { editors, session }
  }

  test('a save whose response was lost is recognized, and later typing continues from it', async () => {
    const { editors, session } = await lose(' And more.')
    await rest()
    await rest()
    expect([session.current().status, session.current().fields.title]).toEqual(['stored', 'My title'])
    expect(editors.stored().body).toBe('One.\n\nTwo.\n\nMine. And more.\n')
  })

  test('a save whose response was lost is recognized below newer edits of others, also from a draft', async () => {
    const { editors } = await lose(' And more.')
    editors.others({ body: 'One. Theirs.\n\nTwo.\n\nMine.\n' })
    editors.open().receive(editors.stored())
    await rest()
    await rest()
    expect(editors.stored().body).toBe('One. Theirs.\n\nTwo.\n\nMine. And more.\n')
  })

  test('a save that never arrived is sent again and merged with edits of others', async () => {
    const editors = openTwoEditors()
    const session = editors.open()
    editors.down(true)
    session.write({ body: 'One.\n\nTwo.\n\nMine.\n', title: 'My title' })
    await rest()
    editors.down(false)
    editors.others({ body: 'One. Theirs.\n\nTwo.\n' })
    session.write({ body: 'One.\n\nTwo.\n\nMine. And more.\n' })
    await rest()
    await rest()
    expect(editors.stored()).toMatchObject({ title: 'My title', body: 'One. Theirs.\n\nTwo.\n\nMine. And more.\n' })
  })
})

test('a response older than the saved text changes nothing', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  const old = { ...editors.stored() }
  session.write({ body: 'Mine.\n' })
  await rest()
  session.receive(old)
  expect(session.current()).toMatchObject({ status: 'stored', fields: { body: 'Mine.\n' } })
})

test('after its report is deleted, my text is kept as a draft and not saved again', async () => {
  const editors = openTwoEditors()
  const session = editors.open()
  session.write({ body: 'Mine.\n' })
  editors.remove()
  await rest()
  expect([session.current().status, editors.draft()?.body]).toEqual(['deleted', 'Mine.\n'])
  session.write({ body: 'Mine goes on.\n' })
  await rest()
  session.close()
  expect([session.current().status, editors.draft()?.body]).toEqual(['deleted', 'Mine goes on.\n'])
})

test('after its report is deleted, unchanged text is kept too, until it is saved elsewhere', () => {
  const editors = openTwoEditors()
  const session = editors.open()
  session.lose()
  expect(editors.draft()?.body).toBe('One.\n\nTwo.\n')
  session.abandon()
  session.lose()
  session.close()
  expect(editors.draft()).toBeNull()
})
