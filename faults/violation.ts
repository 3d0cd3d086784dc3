/** What went wrong. `lost`, `doubled` and `stuck` are the counts of the summary; `left` is what remains afterwards. */
export type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'stuck'
  | 'illegal'
  | 'ledger'
  | 'analytics'
  | 'process'
  | 'slow'
  | 'left'

export type Violation = { kind: ViolationKind; text: string }

export const violationKinds: readonly ViolationKind[] = [
  'lost',
  'doubled',
  'stuck',
  'illegal',
  'ledger',
  'analytics',
  'process',
  'slow',
  'left',
]
