import { expect, test } from 'vitest'

import { changeQuery } from '#src/url/use-query-state.ts'
import { clearedFilters, groupRunFilters, isFiltered, readResultsState } from './results-parameters.ts'

const read = (query: string) => readResultsState(new URLSearchParams(query))

test('a URL without parameters shows the default chart', () => {
  const { parameters, view, as, sort, cell } = read('')
  expect(parameters).toMatchObject({ groupBy: 'variant', agents: [], fullPassOnly: false, testSearch: '' })
  expect([view, as, sort, cell]).toEqual(['leaderboard', 'chart', 'name', null])
  expect(isFiltered(parameters)).toBe(false)
})

test('every chart parameter is read under its own name', () => {
  const query =
    'group_by=agent_mode&version=all&agents=a&agents=b&agent_modes=plan&models=m&products=p&environments=e&prompt_ids=q' +
    '&full_pass_only=true&include_test_aware=true&test_search=%20roman%20'
  expect(read(query).parameters).toEqual({
    groupBy: 'agent_mode',
    version: 'all',
    agents: ['a', 'b'],
    agentModes: ['plan'],
    models: ['m'],
    products: ['p'],
    environments: ['e'],
    promptIds: ['q'],
    fullPassOnly: true,
    includeTestAware: true,
    testSearch: 'roman',
  })
})

test('an unknown parameter value falls back to the default', () => {
  expect(read('group_by=weather&sort=size&view=3d')).toMatchObject({ sort: 'name', view: 'leaderboard' })
})

test('a link can open a cell of the group without a value', () => {
  expect(read('test=parses').cell).toEqual({ test: 'parses', group: '' })
  expect(read('test=parses')).toMatchObject({ group: null, view: 'heatmap' })
  expect(read('group=careful')).toMatchObject({ cell: null, group: 'careful' })
  expect(read('test=parses&test_group=careful')).toMatchObject({
    cell: { test: 'parses', group: 'careful' },
    group: null,
  })
})

test('an older link that names a cell’s group in `group` opens the same cell', () => {
  expect(read('test=parses&group=careful')).toMatchObject({ cell: { test: 'parses', group: 'careful' }, group: null })
})

test('clearing the filters keeps the grouping and the view', () => {
  const search = new URLSearchParams('group_by=model&view=metric&as=table&agents=a&version=all&test_search=x')
  expect(changeQuery(search, clearedFilters).toString()).toBe('group_by=model&view=metric&as=table')
})

test('only groups that the runs list can filter by link to it', () => {
  expect(groupRunFilters('variant', 'a~b')).toEqual({ variant: 'a~b' })
  expect([groupRunFilters('agent_mode', 'plan'), groupRunFilters('model', '')]).toEqual([null, null])
})
