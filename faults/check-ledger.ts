import type { Violation } from './violation.ts'

type Posting = { entryId: string; account: string; lotId: string | null; micros: bigint }
type Lot = { id: string; availableMicros: bigint; heldMicros: bigint }

/** A finished run that is not a mock run. `usages` counts its rows of usage, and `posted` those that have an entry. */
type ChargedRun = { runId: string; usages: number; posted: number }

export type Ledger = { postings: Posting[]; lots: Lot[]; owedMicros: bigint; charged: ChargedRun[] }

const sum = (postings: readonly Posting[]) => postings.reduce((total, { micros }) => total + micros, 0n)

/** Checks the ledger of an organization whose runs have all ended: it sums to zero, and nothing is held. */
export function checkLedger({ postings, lots, owedMicros, charged }: Ledger): Violation[] {
  const found: Violation[] = []
  const wrong = (text: string) => found.push({ kind: 'ledger', text })
  for (const [entryId, of] of Map.groupBy(postings, (posting) => posting.entryId))
    if (sum(of) !== 0n) wrong(`Entry ${entryId} sums to ${sum(of)} micros`)
  for (const { id, availableMicros, heldMicros } of lots) {
    const inAccount = (account: string) =>
      sum(postings.filter((posting) => posting.lotId === id && posting.account === account))
    if (inAccount('available') !== availableMicros)
      wrong(`Lot ${id} has ${availableMicros} micros, but its postings sum to ${inAccount('available')}`)
    if (inAccount('held') !== heldMicros)
      wrong(`Lot ${id} holds ${heldMicros} micros, but its postings sum to ${inAccount('held')}`)
    if (heldMicros !== 0n) wrong(`Lot ${id} still holds ${heldMicros} micros, although every run has ended`)
  }
  const owed = -sum(postings.filter(({ account }) => account === 'owed'))
  if (owed !== owedMicros) wrong(`The account owes ${owedMicros} micros, but its postings sum to ${owed}`)
  for (const { runId, usages, posted } of charged) {
    if (usages !== 1) wrong(`Run ${runId} is charged ${usages} times`)
    if (posted !== usages) wrong(`Run ${runId} has usage that is not in the ledger`)
  }
  return found
}
