import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { MeasuredEnding } from '#contract/run-endings.ts'
import { boardOf, groupOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { LinkContext, type LinkProps } from '#src/ui/LinkContext.ts'
import { toCsv } from '#src/ui/table/csv.ts'
import { leastWidths } from '#src/ui/table/column.ts'
import { leaderboardColumns } from './leaderboard-columns.tsx'

const scope = 'prompts like these'
const board = toBoard(
  boardOf(
    steady('good', 4),
    groupOf('bad', [
      [1, 5],
      [0, 5],
      [2, 5],
    ]),
  ),
  scope,
)
const { rows } = board

test('the CSV of a leaderboard has the range of the rank and both ends of every interval', () => {
  const [header = '', first = ''] = toCsv(leaderboardColumns(board, { baseline: null }), rows).split('\r\n')
  expect(header).toMatch(
    /^Group,Rank,Rank from,Rank to,Solved,"Solved, 95 % CI low","Solved, 95 % CI high",Test pass rate,"Test pass rate, 95 % CI low"/,
  )
  expect(first).toMatch(/^good,1,1,\d,0\.79,0\.\d+,0\.\d+,/)
})

test('the CSV has a column for each of several axes, beside the joined name', () => {
  const [row] = rows
  const pair = row ? [{ ...row, label: 'codex · gpt', names: ['codex', 'gpt'] }] : []
  const linesBy = (groupBy: string) =>
    toCsv(leaderboardColumns({ ...board, rows: pair }, { groupBy, baseline: null }), pair).split('\r\n')
  const [header = '', first = ''] = linesBy('agent~model')
  expect(header).toMatch(/^Group,Agent,Model,Rank,/)
  expect(first).toMatch(/^codex · gpt,codex,gpt,1,/)
  expect(linesBy('agent')[0]).toMatch(/^Group,Rank,/)
})

test('the CSV has the difference to the baseline, its interval and its corrected p-value', () => {
  const csv = toCsv(leaderboardColumns(board, { baseline: rows[0] ?? null }), rows)
  expect(csv.split('\r\n')[0]).toContain(
    'Solved vs. baseline,"Solved vs. baseline, 95 % CI low","Solved vs. baseline, 95 % CI high","Solved vs. baseline, corrected p"',
  )
})

test('a table leaves room for the name of each group, whichever columns are chosen', () => {
  const all = leaderboardColumns(board, { baseline: null })
  expect(leastWidths(all).always).toMatch(/^calc\(clamp\(104px, 100cqw - 160px, 200px\) \+ 160px \+ 160px/)
  expect(leastWidths(all.slice(0, 1))).toEqual({
    always: 'calc(clamp(104px, 100cqw - 160px, 200px))',
    sm: '0px',
    md: '0px',
    lg: '0px',
    xl: '0px',
  })
})

test('the columns that nobody chose fit wherever they are shown, so that none is cut', () => {
  const compute = { usd: 3, runs: 20 }
  const { rows: paid, ...found } = toBoard(
    boardOf({ ...steady('a', 4), compute }, { ...steady('b', 3), compute }),
    scope,
  )
  const columns = leaderboardColumns({ rows: paid, ...found }, { baseline: null, pick: () => null })
  // Those that are hidden only because these runs do not need them.
  const shown = columns.map((column) => (column.id === 'passRate' ? { ...column, optional: false } : column))
  // Where groups are picked, a narrow table scrolls a little.
  const picking = Number.parseInt(columns.find(({ id }) => id === 'pick')?.width ?? '', 10)
  const parts = leastWidths(shown.filter(({ optional }) => !optional))
  const pixels = (text: string) =>
    [...text.replaceAll(/clamp\(.*?(\d+)px\)/g, '$1px').matchAll(/(\d+)px/g)].reduce(
      (sum, [, px]) => sum + Number(px),
      0,
    )
  let width = pixels(parts.always)
  for (const [from, least] of [
    ['sm', 560 + picking],
    ['md', 800],
    ['lg', 1040],
    ['xl', 1200],
  ] as const) {
    width += pixels(parts[from])
    expect([from, width]).toEqual([from, Math.min(width, least)])
  }
})

test('pass@k and pass^k have the ends of their intervals in the CSV, in both scopes', () => {
  const csvOf = (of: 'prompts like these' | 'these prompts') => {
    const columns = leaderboardColumns({ ...board, scope: of }, { baseline: null })
    const [header = '', first = ''] = toCsv(
      columns.filter(({ id }) => id === 'passTo2'),
      rows,
    ).split('\r\n')
    return { header, first, hint: columns.find(({ id }) => id === 'passTo2')?.hint }
  }
  const likeThese = csvOf(scope)
  expect(likeThese.header).toBe('pass^2,"pass^2, 95 % CI low","pass^2, 95 % CI high"')
  expect(likeThese.first).toMatch(/^0\.\d+,0\.\d+,0\.\d+$/)
  const these = csvOf('these prompts')
  expect(these.first).toMatch(/^0\.\d+,0\.\d+,0\.\d+$/)
  expect(these.first).not.toBe(likeThese.first)
  expect(these.hint).toContain('95 % interval for these prompts')
})

test('the runs that are left out are a column to choose, with a link to them', () => {
  const columns = leaderboardColumns(board, { baseline: null })
  const column = columns.find(({ id }) => id === 'leftOut')
  expect(column).toMatchObject({ header: 'Left out', optional: true })
  expect(rows.map((row) => column?.value?.(row))).toEqual([0, 0])
  const href = '/experiments/e/runs?infrastructure_cause=any'
  const linked = leaderboardColumns(board, { baseline: null, runsHref: () => href }).find(({ id }) => id === 'leftOut')
  const [row] = rows
  const links = { Link: ({ href: to, children }: LinkProps) => <a href={to}>{children}</a>, open: () => {} }
  const cellOf = (leftOut: number) =>
    row &&
    renderToStaticMarkup(
      <LinkContext value={links}>{linked?.cell?.({ ...row, facts: { ...row.facts, leftOut } })}</LinkContext>,
    )
  expect(cellOf(3)).toBe(`<a href="${href}">3</a>`)
  expect(cellOf(0)).toBe('0')
})

test('the cost beside a baseline has the ratio, its interval and its corrected p-value in the CSV', () => {
  const at = (name: string, costUsd: number) => steady(name, 4, { costUsd, runs: 100, solved: 80 })
  const board = toBoard(boardOf(at('a', 100), at('b', 50)), 'prompts like these')
  const baseline = board.rows.find(({ group }) => group === 'a') ?? null
  const column = leaderboardColumns(board, { baseline }).find(({ id }) => id === 'costDifference')
  const b = board.rows.find(({ group }) => group === 'b')
  if (!b || !baseline) throw new Error('The row is missing')
  expect(column?.value?.(b)).toBeCloseTo(0.5, 2)
  const [low, high, p] = (column?.csv ?? []).map(({ value }) => Number(value(b)))
  expect([low, high].map((end) => end !== undefined && end < 1)).toEqual([true, true])
  expect(p).toBeLessThan(0.001)
  expect(column?.value?.(baseline)).toBeNull()
  expect(leaderboardColumns(board, { baseline: null }).some(({ id }) => id === 'costDifference')).toBe(false)
})

test('the bar of a group names every ending once for screen readers, and each part leads to its runs', () => {
  const endings = {
    prompt: [0, 0, 0, 1, 1],
    ending: ['solved', 'failed', 'timed_out', 'infrastructure', 'failed'] as MeasuredEnding[],
    claimed: [null, 'solved', null, null, null] as ('solved' | null)[],
    runs: [4, 1, 2, 3, 5],
  }
  const shown = toBoard(boardOf({ ...groupOf('a', [[4, 7]]), endings }), 'these prompts')
  const column = leaderboardColumns(shown, {
    baseline: null,
    runsHref: ({ group }, which) => `/runs?agent=${group}&ending=${which}`,
  }).find(({ id }) => id === 'endings')
  const Link = ({ href }: LinkProps) => <a href={href}>runs</a>
  const html = renderToStaticMarkup(
    <MantineProvider>
      <LinkContext value={{ Link, open: () => {} }}>{shown.rows[0] && column?.cell?.(shown.rows[0])}</LinkContext>
    </MantineProvider>,
  )
  expect(html).toContain('4 solved, 5 failed, 2 timed out, 1 disputed, 3 infrastructure of 15 runs')
  const links = [...html.matchAll(/ending=(\w+)/g)].map(([, ending]) => ending)
  expect(links).toEqual(['solved', 'failed', 'timed_out', 'disputed', 'infrastructure'])
  expect(column && toCsv([column], shown.rows)).toContain('15,4,5,2,1,3,0,0,0')
})

test('the cost of a run has its models and its compute apart and together, and the sum needs no model', () => {
  const columnOf = (of: typeof board) => leaderboardColumns(of, { baseline: null }).filter(({ id }) => id === 'cost')
  const known = steady('known', 4)
  const found = toBoard(
    boardOf(
      { ...known, costUsd: { ...known.costUsd, mean: 0.5 }, compute: { usd: 3, runs: 20 } },
      { ...steady('bare', 3), compute: { usd: 0.4, runs: 20 } },
    ),
    scope,
  )
  const costs = columnOf(found)
  expect(toCsv(costs, found.rows).trim().split('\r\n')).toEqual([
    'Cost per run,Models per run,Compute per run',
    '0.65,0.5,0.15',
    '0.02,,0.02',
  ])
  const texts = found.rows.map((row) =>
    costs.map(({ cell }) => renderToStaticMarkup(<p>{cell?.(row)}</p>).replaceAll(/<[^>]+>/g, ' ')).join(''),
  )
  expect(texts).toEqual([
    expect.stringContaining('$0.6500 $0.5000 + $0.1500'),
    expect.stringMatching(/\$0\.0200\s+compute/),
  ])
  // Its explanation is above the link that fills the row, or it would never open.
  const drawn = costs.map(({ cell, hint }) => [
    renderToStaticMarkup(<p>{found.rows[0] && cell?.(found.rows[0])}</p>),
    hint,
  ])
  expect(drawn).toEqual([
    [expect.stringMatching(/class="[^"]*explained[^"]*" title="The mean over/), expect.any(String)],
  ])
  expect([costs, columnOf(board)].map((columns) => columns.map(({ optional }) => optional))).toEqual([[false], [true]])
})

test('where no run has a verdict, a group shows how many runs it has, what they cost and their tokens', () => {
  const { costUsd, totalTokens, ...rest } = groupOf('a', [])
  const group = { ...rest, runs: 3, costUsd: { ...costUsd, mean: 0.9 }, totalTokens: { ...totalTokens, mean: 7000 } }
  const { rows, ...shown } = toBoard(boardOf(group), scope)
  const columns = leaderboardColumns({ rows, ...shown }, { baseline: null }).filter(({ optional }) => !optional)
  const [header, values] = toCsv(columns, rows).trim().split('\r\n')
  expect(header).toMatch(/Cost per run,Models per run,Compute per run,Tokens per run,Runs$/)
  expect(values).toMatch(/,0.9,0.9,,7000,3$/)
  const judged = leaderboardColumns(board, { baseline: null }).filter(({ optional }) => !optional)
  expect(judged.map(({ id }) => id)).not.toContain('tokens')
})
