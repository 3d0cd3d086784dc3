import type { StatementReader } from './statement-reader.ts'

/** The parts of the grammar that contain each other, and what they read from. */
export type Grammar = {
  reader: StatementReader
  readQuery: (grammar: Grammar) => void
  /** Gives whether it is a lambda. */
  readExpression: (grammar: Grammar) => boolean
  /** As readExpression, with or without a name after it. */
  readNamed: (grammar: Grammar) => boolean
  readOperand: (grammar: Grammar) => boolean
}

/** Items until the closing sign, which is taken. */
export function readList({ reader }: Grammar, end: string, readItem: (index: number) => void) {
  if (reader.take(end)) return
  let index = 0
  do readItem(index++)
  while (reader.take(','))
  reader.need(end)
}

/** One item or more, until what is no comma. */
export function readItems(grammar: Grammar) {
  do grammar.readNamed(grammar)
  while (grammar.reader.take(','))
}
