import { count } from '#src/format/numbers.ts'
import type { Board } from '#statistics/leaderboard/leaderboard-rows.ts'

/** Where a group stands before and after a rule: its place in the table, and its rank. */
export type RankMove = { group: string; label: string; places: [number, number]; ranks: [number | null, number | null] }

/** How each group moves, in the order of the second board. */
export function rankMoves(before: Board, after: Board): RankMove[] {
  const placeBefore = new Map(before.rows.map(({ group }, place) => [group, place + 1]))
  const rankBefore = new Map(before.rows.map(({ group, rank }) => [group, rank?.rank ?? null]))
  return after.rows.map(({ group, label, rank }, place) => ({
    group,
    label,
    places: [placeBefore.get(group) ?? place + 1, place + 1],
    ranks: [rankBefore.get(group) ?? null, rank?.rank ?? null],
  }))
}

const mostNamed = 4

/** `b: rank 2 to 1; a: rank 1 to 2`, or what moves without another rank, or that nothing does. */
export function movesText(moves: readonly RankMove[]) {
  const ranked = moves.filter(({ ranks: [from, to] }) => from !== to)
  const placed = moves.filter(({ places: [from, to] }) => from !== to)
  if (ranked.length > 0)
    return listed(ranked.map(({ label, ranks: [from, to] }) => `${label}: rank ${count(from)} to ${count(to)}`))
  if (placed.length > 0)
    return `no rank changes, but the order does; ${listed(placed.map(({ label, places: [from, to] }) => `${label}: place ${from} to ${to}`))}`
  return 'neither a rank nor the order changes.'
}

const listed = (texts: readonly string[]) =>
  texts.length <= mostNamed
    ? `${texts.join('; ')}.`
    : `${texts.slice(0, mostNamed).join('; ')}; and ${texts.length - mostNamed} more.`
