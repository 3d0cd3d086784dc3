import { expect, test } from 'vitest'

import type { SavedView } from '#contract/saved-views.ts'
import { savedViewHref, startOf, viewQueryOf } from './saved-view-links.ts'

const view = (fields: Partial<SavedView>) =>
  ({ page: 'runs', query: 'agent=droid', isDefault: false, ...fields }) as SavedView

test('a view of an experiment opens that experiment', () => {
  expect(savedViewHref({ page: 'experimentResults', experimentId: 'a/b', query: 'view=heatmap' })).toBe(
    '/experiments/a%2Fb/results?view=heatmap',
  )
  expect(savedViewHref({ page: 'reports', query: '' })).toBe('/reports')
})

test('two URLs are the same view if they differ only in the order of parameters or in an open dialog or pane', () => {
  expect(viewQueryOf('sort=-time&agent=b&agent=a&new=1&submit=1&group=x&search=')).toBe('agent=b&agent=a&sort=-time')
  expect(viewQueryOf('view=failures&signature=s&group=x&cell=c&run=1&run=2&test=t&test_group=g')).toBe('view=failures')
})

test('the navigation opens the default of exactly that page', () => {
  const views = [
    view({ page: 'experimentRuns', experimentId: 'one', query: 'status=errored', isDefault: true }),
    view({ isDefault: false }),
  ]
  expect(startOf(views, { page: 'runs' })).toBe('/runs')
  expect(startOf(views, { page: 'experimentRuns', experimentId: 'two' })).toBe('/experiments/two/runs')
  expect(startOf(views, { page: 'experimentRuns', experimentId: 'one' })).toBe('/experiments/one/runs?status=errored')
})
