import type { StatementReader } from './statement-reader.ts'

/** The mutually recursive parts of the grammar, and the reader of their tokens. */
export type Grammar = {
  reader: StatementReader
  readQuery: (grammar: Grammar) => void
  /** Returns whether the expression is a lambda. */
  readExpression: (grammar: Grammar) => boolean
  /** Like readExpression, with an optional name after it. */
  readNamed: (grammar: Grammar) => boolean
  readOperand: (grammar: Grammar) => boolean
}

/** Reads items up to and including the closing sign. */
export function readList({ reader }: Grammar, end: string, readItem: (index: number) => void) {
  if (reader.accept(end)) return
  let index = 0
  do readItem(index++)
  while (reader.accept(','))
  reader.expect(end)
}

/** Reads one or more items separated by commas. */
export function readItems(grammar: Grammar) {
  do grammar.readNamed(grammar)
  while (grammar.reader.accept(','))
}
